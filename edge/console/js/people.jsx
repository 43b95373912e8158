// A person: what is stored about them, its erasure, and what the risk desk decided; and who appeals. Whom one asks
// about is in no address and not in the page's title.

import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { saveCsv, saveJson } from './csv.js';
import { Appeals, Desk } from './desk.jsx';
import { on, titled } from './format.js';
import { Button, Card, Empty, Field, Loading, Notice, Refusal } from './kit.jsx';
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
      {may('desk appeals') && <Appeals event={event} ask={ask} />}
      {!who && <Empty>Nobody has been looked up yet.</Empty>}
      {who && may('buyer show') && <Stored key={who} event={event} who={who} ask={ask} />}
      {who && !who.includes('@') && may('desk show') && <Desk key={`desk ${who}`} event={event} user={who} />}
    </>
  );
}

const itemsOf = (data) => data.items.filter(({ kind }) => kind === 'order').map(({ item }) => item);

// As the command writes them: a line for each field of each item.
const FIELDS = ['kind', 'pk', 'sk', 'field', 'value'].map((name) => [name, (row) => row[name]]);

const fieldsOf = ({ items }) =>
  items.flatMap(({ kind, item: { PK: pk, SK: sk, ...fields } }) =>
    Object.entries(fields).map(([field, value]) => ({ kind, pk, sk, field, value }))
  );

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
          <Button onClick={() => saveCsv('stored-about-a-buyer', FIELDS, fieldsOf(data))}>Save as CSV</Button>
          <Button onClick={() => saveJson('stored-about-a-buyer', data)}>Save all of it as JSON</Button>
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
