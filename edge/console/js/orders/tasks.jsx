// What only a person can do: each task with what to do, and ticking it off.

import { look, may } from '../acts.js';
import { ageS, span, titled } from '../format.js';
import { Badge, Refusal } from '../kit.jsx';
import { Step } from '../step.jsx';
import { useLook } from '../use-look.js';
import { addressOf } from './find.js';

const EVERY_MS = 60000;
const WITH_PROVIDER = 'Open the payment at the payment provider';
// What to do, by the kind of a task.
const HOW = {
  'refund-refused': 'Give the money back another way, such as a bank transfer.',
  'refund-failed': 'The money came back. Ask the buyer for another way to pay it.',
  'refund-missing': `${WITH_PROVIDER}, and see whether the refund was made.`,
  'refunded-elsewhere': 'Somebody gave the money back at the provider. Make the tickets void, if that was meant.',
  'refunded-in-part': 'Somebody gave a part back at the provider. See whether it is right.',
  'unknown-capture': `${WITH_PROVIDER}: no order explains it. Give it back there.`,
  'no-refund-owed': `${WITH_PROVIDER}, and see whether the buyer is still owed something.`,
  'no-capture': `${WITH_PROVIDER}: the order counts as paid, and no payment is found.`,
  'tickets-late': 'The order is paid and has no tickets. Ask your engineer.',
  disputed: 'Answer the dispute at the payment provider, before its last day.',
  'charged-back': 'The bank took the money. Nothing more can be done here.',
  'capture-failed': 'The payment cannot be read. Ask your engineer.',
  'entry-failed': 'An entry of the provider cannot be read. Ask your engineer.',
  'event-cancelled': 'See what the cancellation left to do.',
  'change-untold': 'Tell the buyers yourself: the mail did not go out.',
  'mail-not-sent': 'Correct the mail address of the order. Its tickets are then mailed.'
};

export function Tasks({ event }) {
  const known = may('orders tasks');
  const { data, problem, again } = useLook(() => (known ? look('orders tasks') : null), [event], known ? EVERY_MS : 0);
  const tasks = (data?.tasks ?? []).filter((task) => !task.event_id || task.event_id === event);
  if (tasks.length === 0) return <Refusal problem={problem} />;
  return (
    <details class="card" open={!may('orders list')}>
      <summary>
        <Badge tone="warn">To do: {tasks.length}</Badge> what only a person can do
      </summary>
      <ul class="needs">
        {tasks.map((task) => (
          <li key={task.task_id} class="warn">
            <strong>{titled(task.kind)}</strong>
            <span class="dim">
              {task.what} · {span(ageS(task.since))} old
            </span>
            {HOW[task.kind] && <span>{HOW[task.kind]}</span>}
            {task.order_id && (
              <a class="hit" href={addressOf(event, task.order_id)}>
                Open the order
              </a>
            )}
            {may('orders done') && (
              <details>
                <summary>It is done</summary>
                <Step
                  act="orders done"
                  fixed={{ task: task.task_id }}
                  fields={[{ name: 'reason', label: 'How it was done', hint: 'One line for the log.' }]}
                  submit="Tick it off"
                  main={false}
                  onDone={again}
                />
              </details>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
