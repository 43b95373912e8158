// Calling an event off: what would go back first, then for good, with a file of every order.

import { look, may } from '../acts.js';
import { count, money, on } from '../format.js';
import { useJob } from '../jobs/job.jsx';
import { Card, Loading, Notice, Refusal } from '../kit.jsx';
import { Pending } from '../pending.jsx';
import { Step } from '../step.jsx';
import { useLook } from '../use-look.js';
import { DifferenceTable } from './difference-table.jsx';

export function CallOff({ event }) {
  const { data: shown, problem, again } = useLook(() => look('event show', { event }), [event]);
  const job = useJob('event cancel', event);
  if (!shown) return problem ? <Refusal problem={problem} /> : <Loading />;
  return (
    <>
      <Refusal problem={problem} />
      <Pending event={event} />
      {shown.cancelled_at && (
        <Notice tone="bad" title={`Cancelled since ${on(shown.cancelled_at)}`}>
          <p>
            Buyers see it on their orders. If not all of the money is sent, the same again goes on: nothing goes twice.
          </p>
        </Notice>
      )}
      <Card title="Cancel the event">
        <p>
          The sale is closed for good, all tickets are void, and all of the money goes back with all fees. Buyers are
          mailed in their language.
        </p>
        <Step
          act="event cancel"
          fixed={{ event, refund_all: true }}
          fields={[{ name: 'reason', label: 'Why', hint: 'One line for the log.' }]}
          changes={({ before }) => totalsOf(before)}
          word={event}
          submit="Cancel it for good"
          main={false}
          onDone={again}
        />
        {job?.state === 'done' && !job.dry_run && (
          <DifferenceTable
            name={`${event}-for-a-person`}
            columns={[
              ['Order', (one) => one.order],
              ['What', (one) => one.what],
              ['For a person', (one) => one.why]
            ]}
            rows={job.result?.for_a_person}
          />
        )}
      </Card>
      {may('event close') && !shown.cancelled_at && (
        <Card title="Only end the sale">
          <p>
            Sold tickets stay good, and no money goes back:{' '}
            <a href={`#/e/${encodeURIComponent(event)}/steer`}>Close the sale</a>.
          </p>
        </Card>
      )}
    </>
  );
}

/** What goes back, as rows of name, before, after. */
function totalsOf(totals) {
  if (!totals) return [];
  const amount = (minor) => money(minor, totals.currency || undefined);
  const { captured_minor: taken, back_minor: back, sold_minor: sold, to_send_minor: decided } = totals;
  return [
    ['Paid orders', count(totals.orders), '0'],
    ['Tickets', count(totals.places), '0'],
    ['Taken', amount(taken), amount(taken)],
    ['Given back', amount(back), amount(back + sold + decided)],
    ['Still to give back', amount(sold + decided), amount(0)],
    ['Open sessions', count(totals.open_sessions), '0']
  ];
}
