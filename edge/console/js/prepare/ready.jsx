// Go or no-go: what the service checks of an event, and what to do about what is wrong.

import { look, may } from '../acts.js';
import { at, count, timed } from '../format.js';
import { Badge, Button, Card, Notice, Refusal } from '../kit.jsx';
import { useLook } from '../use-look.js';
import { advised } from './advised.js';

const CHECK = 'check';
const STATES = {
  wrong: ['bad', 'Wrong'],
  unseen: ['warn', 'Not seen'],
  ok: ['good', 'Good'],
  off: ['info', 'Not used']
};

export function Ready({ event }) {
  const read = async () => (may(CHECK) ? { ...(await look(CHECK, { event })), at: new Date().toISOString() } : null);
  const { data, problem, again } = useLook(read, [event]);
  if (!may(CHECK)) return null;
  const findings = data?.findings ?? [];
  const open = findings.filter(({ state }) => ['wrong', 'unseen'].includes(state));
  const others = findings.filter((one) => !open.includes(one));
  return (
    <Card title="Ready?" aside={data && `checked at ${at(data.at)}`}>
      <Refusal problem={problem} />
      {!data && !problem && <p role="status">The service checks it: up to 20 seconds.</p>}
      {data && (
        <Notice tone={data.go ? 'good' : 'bad'} title={data.go ? 'Go' : 'No-go'}>
          {open.length > 0 && <Findings event={event} findings={open} />}
        </Notice>
      )}
      {others.length > 0 && (
        <details>
          <summary>What is as it must be ({count(others.length)})</summary>
          <Findings event={event} findings={others} />
        </details>
      )}
      {data?.not_looked_at?.length > 0 && (
        <p class="dim">
          Only the command <code>fairgate check {event}</code> looks at: {data.not_looked_at.join(', ')}.
        </p>
      )}
      <div class="row">
        <Button onClick={again}>Check again</Button>
      </div>
    </Card>
  );
}

function Advice({ event, advice }) {
  return advised(advice).map(({ text, command, screen }) => (
    <>
      {text}
      {command && <code>{command}</code>}
      {screen === 'prepare' && ' (or on this screen)'}
      {screen === 'steer' && (
        <>
          {' (or on the screen '}
          <a href={`#/e/${encodeURIComponent(event)}/steer`}>Steer</a>)
        </>
      )}
    </>
  ));
}

function Findings({ event, findings }) {
  return (
    <ul class="findings">
      {findings.map(({ subject, state, text, do: todo, where, takes }) => (
        <li key={subject + text}>
          <Badge tone={STATES[state]?.[0]}>{STATES[state]?.[1] ?? state}</Badge> <strong>{subject}</strong>:{' '}
          {timed(text)}
          {todo && (
            <p>
              To do: <Advice event={event} advice={todo} /> <small>{[where, takes].filter(Boolean).join(', ')}</small>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
