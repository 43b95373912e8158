// Who did what, filtered; whether every entry is as it was signed.

import { useState } from 'preact/hooks';
import { look } from './acts.js';
import { count, on, timed } from './format.js';
import { Button, Empty, Field, Loading, Notice, Refusal } from './kit.jsx';
import { useLook } from './use-look.js';

export function Log({ event }) {
  const { data, problem, again } = useLook(() => look('event log', { event }), [event]);
  const [text, setText] = useState('');
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const wanted = text.trim().toLowerCase();
  const entries = data.entries.filter((one) => JSON.stringify(one).toLowerCase().includes(wanted)).reverse();
  return (
    <>
      <div class="head row">
        <h1>Log</h1>
        <Button class="push" onClick={again}>
          Read again
        </Button>
      </div>
      {data.wrong.length === 0 ? (
        <Notice tone="good">Every entry is as it was signed.</Notice>
      ) : (
        <Notice tone="bad" title="The log was changed">
          <ul>
            {data.wrong.map((line) => (
              <li key={JSON.stringify(line)}>{typeof line === 'string' ? line : JSON.stringify(line)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {data.left_out > 0 && (
        <p class="dim">
          The newest entries. {count(data.left_out)} older ones are checked, too, and shown by the command.
        </p>
      )}
      <Field label="Show only">
        {(id) => (
          <input
            id={id}
            type="search"
            placeholder="pause, tau, a name …"
            value={text}
            onInput={(e) => setText(e.target.value)}
          />
        )}
      </Field>
      {entries.length === 0 && <Empty>No entry has “{text}”.</Empty>}
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((one) => (
            <tr key={one.number}>
              <td data-name="When">{on(one.at)}</td>
              <td data-name="What">
                <strong>{one.act}</strong> <span class="dim">{one.phase}</span>
              </td>
              <td data-name="Who">{one.who}</td>
              <td data-name="Details">
                <Details detail={one.detail} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const Details = ({ detail }) =>
  Object.entries(detail ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value], n) => (
      <span key={name}>
        {n > 0 && ' · '}
        {name}: <bdi>{typeof value === 'object' ? JSON.stringify(value) : timed(String(value))}</bdi>
      </span>
    ));
