// What the risk desk decided about an account, and the buyers who ask that a person looks at it.

import { useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { at, count, on, rate, titled } from './format.js';
import { Badge, Button, Card, Loading, Notice, Refusal } from './kit.jsx';
import { Step } from './step.jsx';
import { useLook } from './use-look.js';

const EVERY_MS = 20_000;
const RULES = { pardon: 'Lifted', 'by hand': 'Locked out by a person' };
const TIMES = [
  ['60', 'an hour'],
  ['15', '15 minutes'],
  ['180', 'three hours'],
  ['720', 'twelve hours'],
  ['1440', 'a day']
];

const LEVELS = [
  ['good', 'Nothing against them'],
  ['warn', 'A harder challenge'],
  ['bad', 'Locked out']
];

/** What the desk decided about one account, and why. */
export function Desk({ event, user }) {
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
            <strong>{RULES[one.rule] ?? titled(one.rule)}</strong>
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
      {data.level > 0 && <Lift event={event} user={user} before={words} onDone={again} />}
      <Longer event={event} user={user} before={words} main={data.level === 0} onDone={again} />
    </Card>
  );
}

const Lift = ({ event, user, before, onDone }) =>
  may('desk pardon') && (
    <Step
      act="desk pardon"
      fixed={{ event, user }}
      fields={[{ name: 'reason', label: 'Why it is lifted', hint: 'One line for the log.' }]}
      changes={() => [['The desk', before, LEVELS[0][1]]]}
      submit="Lift it"
      onDone={onDone}
    />
  );

const Longer = ({ event, user, before, main, onDone }) =>
  may('desk extend') && (
    <Step
      act="desk extend"
      fixed={{ event, user }}
      fields={[
        { name: 'minutes', label: 'Locked out from now on for', options: TIMES },
        { name: 'reason', label: 'Why they are locked out', hint: 'The buyer reads this, and the log keeps it.' }
      ]}
      changes={({ until }) => [['The desk', before, `${LEVELS[2][1]} until ${on(until)}`]]}
      submit="Lock out"
      main={main}
      onDone={onDone}
    />
  );

/** Buyers who are locked out and ask that a person looks; those whose time ends first stand first. */
export function Appeals({ event, ask }) {
  const { data, problem, again } = useLook(() => look('desk appeals', { event }), [event], EVERY_MS);
  const [answering, setAnswering] = useState('');
  if (!data) return <Refusal problem={problem} />;
  if (data.count === 0) return null;
  const done = () => {
    setAnswering('');
    again();
  };
  return (
    <Card title="Appeals" aside={`${count(data.count)}${data.more ? ' or more' : ''} open`}>
      <ul class="list appeals">
        {data.appeals.map((one) => (
          <li key={`${one.user} ${one.until}`}>
            <div class="row">
              <strong class="long">
                <bdi>{one.user}</bdi>
              </strong>
              <span class="dim">
                asked {at(one.asked_at)}, locked out until {on(one.until)}
              </span>
            </div>
            <p>
              <strong>{RULES[one.rule] ?? titled(one.rule)}.</strong> {one.noticed}
            </p>
            {one.text && (
              <blockquote>
                <bdi>{one.text}</bdi>
              </blockquote>
            )}
            <div class="row buttons">
              {may('desk pardon') && (
                <Button
                  aria-expanded={answering === one.user}
                  aria-label={`Answer ${one.user}`}
                  onClick={() => setAnswering(answering === one.user ? '' : one.user)}
                >
                  Answer
                </Button>
              )}
              <Button quiet aria-label={`Look up ${one.user}`} onClick={() => ask(one.user)}>
                Look up
              </Button>
            </div>
            {answering === one.user && (
              <div class="answers">
                <Lift event={event} user={one.user} before={LEVELS[2][1]} onDone={done} />
                <Longer event={event} user={one.user} before={`Until ${on(one.until)}`} main={false} onDone={done} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
