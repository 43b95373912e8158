// A person: what is stored about them, its erasure, and what the risk desk decided. Whom one asks about is in no
// address and not in the page's title.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { saveJson } from './csv.js';
import { on, rate, titled } from './format.js';
import { Badge, Button, Card, Empty, Field, Loading, Notice, Refusal } from './kit.jsx';
import { addressOf } from './orders/find.js';
import { Step } from './step.jsx';
import { useLook } from './use-look.js';

/** {event, who}: whom is asked about, in this window's memory alone. */
const asked = signal({ event: '', who: '' });

/** Asks about an account, or a mail address, as soon as the screen is shown. */
export function askAbout(event, who) {
  asked.value = { event, who };
}

const nameOf = (who) => (who.includes('@') ? { email: who } : { user: who });

export function People({ event }) {
  const who = asked.value.event === event ? asked.value.who : '';
  const [text, setText] = useState(who);
  const ask = (name) => {
    setText(name);
    askAbout(event, name);
  };
  return (
    <>
      <div class="head">
        <h1>People</h1>
      </div>
      <form
        class="search"
        role="search"
        onSubmit={(e) => {
          e.preventDefault();
          ask(text.trim());
        }}
      >
        <Field label="Mail address or account" hint="Written as it is in the order.">
          {(id, hint) => (
            <input
              id={id}
              type="search"
              aria-describedby={hint}
              autocomplete="off"
              value={text}
              onInput={(e) => setText(e.target.value)}
            />
          )}
        </Field>
        <Button type="submit" main disabled={!text.trim()}>
          Look them up
        </Button>
      </form>
      {!who && <Empty>Nobody is asked about yet.</Empty>}
      {who && may('buyer show') && <Stored key={who} event={event} who={who} ask={ask} />}
      {who && !who.includes('@') && may('desk show') && <Desk key={`desk ${who}`} event={event} user={who} />}
    </>
  );
}

const itemsOf = (data) => data.items.filter(({ kind }) => kind === 'order').map(({ item }) => item);

function Stored({ event, who, ask }) {
  const { data: stored, problem } = useLook(() => look('buyer show', nameOf(who)), [who]);
  const [left, setLeft] = useState(null); // after an erasure: nothing is found by the address any more
  const data = left ?? stored;
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const orders = itemsOf(data);
  const others = [...data.accounts, ...data.addresses].filter((one) => one !== who);
  return (
    <>
      {left && (
        <Notice tone="good">The address is erased; in the log as {left.request}. Below stands what is left.</Notice>
      )}
      <Card title={left ? 'What is left' : 'What is stored'}>
        {!left && (
          <p class="long">
            <bdi>{who}</bdi>
          </p>
        )}
        {others.length > 0 && (
          <ul class="list">
            {others.map((one) => (
              <li key={one} class="row">
                <span class="long">
                  {one.includes('@') ? 'Ordered for' : 'Ordered by'} <bdi>{one}</bdi>
                </span>
                <Button quiet class="push" onClick={() => ask(one)}>
                  Look up
                </Button>
              </li>
            ))}
          </ul>
        )}
        {orders.length > 0 && (
          <ul class="list">
            {orders.map((one) => (
              <li key={one.orderId}>
                <a class="hit number" href={addressOf(one.eventId ?? event, one.orderId)}>
                  {one.orderId}
                </a>{' '}
                <span class="dim">{on(one.createdAt)}</span>
              </li>
            ))}
          </ul>
        )}
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Count</th>
              <th scope="col">At an erasure</th>
            </tr>
          </thead>
          <tbody>
            {data.kinds.map((one) => (
              <tr key={one.kind}>
                <td>
                  <strong>{titled(one.kind)}</strong>
                </td>
                <td>
                  {one.count}
                  {one.with_address > 0 && <span class="dim"> ({one.with_address} with an address)</span>}
                </td>
                <td class="dim">{one.at_erasure}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <details>
          <summary>What lies elsewhere</summary>
          <ul class="bullets">
            {data.elsewhere.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </details>
        <div class="row buttons">
          <Button onClick={() => saveJson('stored-about-a-buyer', data)}>Save all of it as a file</Button>
        </div>
      </Card>
      {!left && may('buyer erase') && (
        <Card title="Erase on request">
          <Step
            act="buyer erase"
            fixed={nameOf(who)}
            fields={[
              { name: 'reason', label: 'Why', hint: 'One line for the log, without the address or the account.' },
              { name: 'keep_years', label: 'The law keeps invoices for so many years', hint: '10 without it.' }
            ]}
            changes={(result) => [
              ['Orders with an address', String(result.orders.length), '0'],
              ['Documents that no law keeps', String(result.documents.length), '0']
            ]}
            word="erase"
            lines={1}
            submit="Erase for good"
            main={false}
            onDone={({ result }) => setLeft(result)}
          />
        </Card>
      )}
    </>
  );
}

const LEVELS = [
  ['good', 'Nothing against them'],
  ['warn', 'A harder challenge'],
  ['bad', 'Locked out']
];

function Desk({ event, user }) {
  const { data, problem, again } = useLook(() => look('desk show', { event, user }), [event, user]);
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const [tone, words] = LEVELS[data.level] ?? ['info', `Level ${data.level}`];
  return (
    <Card title="Risk desk">
      <div class="row">
        <Badge tone={tone}>{words}</Badge>
        {data.until && <span class="dim">until {on(data.until)}</span>}
      </div>
      {data.pardoned && <Notice tone="info">Lifted: the rules leave them alone for now.</Notice>}
      {data.decisions.length === 0 && data.windows.length === 0 && <p class="dim">Nothing has been noticed.</p>}
      <ol class="story">
        {data.decisions.map((one) => (
          <li key={one.at} class={LEVELS[one.level]?.[0] ?? 'info'}>
            <strong>{one.rule === 'pardon' ? 'Lifted' : titled(one.rule)}</strong>
            <time dateTime={one.at}>{on(one.at)}</time>
            <span class="dim">{one.noticed}</span>
            <span class="dim">
              by {one.by}, until {on(one.until)}
            </span>
          </li>
        ))}
      </ol>
      {data.windows.length > 0 && (
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">Ten minutes from</th>
              <th scope="col">What was seen</th>
            </tr>
          </thead>
          <tbody>
            {data.windows.map((one) => (
              <tr key={one.starts_at}>
                <td>{on(one.starts_at)}</td>
                <td>
                  {Object.entries(one.cases)
                    .map(([name, times]) => `${titled(name)} ${rate(times)}`)
                    .join(', ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {may('desk pardon') && data.level > 0 && (
        <Step
          act="desk pardon"
          fixed={{ event, user }}
          fields={[{ name: 'reason', label: 'Why', hint: 'One line for the log.' }]}
          changes={() => [['The desk', words, LEVELS[0][1]]]}
          submit="Lift it"
          onDone={again}
        />
      )}
    </Card>
  );
}
