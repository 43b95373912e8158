// The books against the payment provider's: enter what moved, repair what differs, compare.

import { may } from '../acts.js';
import { count, money, on, titled } from '../format.js';
import { JobButton } from '../jobs/button.jsx';
import { useJob } from '../jobs/job.jsx';
import { Step } from '../step.jsx';
import { DifferenceTable } from './difference-table.jsx';
import { NumberedStep } from './numbered-step.jsx';

const done = (job) => !job.dry_run;

export function Books({ event }) {
  return (
    <ol class="proof">
      {may('books import') && <Import />}
      {may('orders reconcile') && <Reconcile event={event} />}
      {may('books check') && <OfEvent event={event} />}
      {may('books check') && <OfAccount />}
    </ol>
  );
}

function Import() {
  const job = useJob('books import', '', done);
  return (
    <NumberedStep
      title="Enter what moved"
      does="Reads fees, payouts and other movements from the payment provider. It runs each hour by itself."
    >
      <JobButton act="books import" event="" args={{}} wanted={done}>
        Enter them now
      </JobButton>
      {job?.state === 'done' && (
        <DifferenceTable
          name="not-entered"
          columns={[
            ['Which', (one) => one.what],
            ['Why not', (one) => `${one.error} ${one.detail ?? ''}`.trim()]
          ]}
          rows={job.result?.failures}
        />
      )}
    </NumberedStep>
  );
}

function Reconcile({ event }) {
  const job = useJob('orders reconcile', '');
  const link = (order) => (order ? <a href={`#/e/${encodeURIComponent(event)}/orders/${order}`}>{order}</a> : '–');
  return (
    <NumberedStep
      title="Compare payments with orders"
      does="Finds what differs and repairs it. It runs each hour by itself; the first step only looks."
    >
      <Step act="orders reconcile" submit="Repair what differs" main={false} />
      {job?.state === 'done' && (
        <DifferenceTable
          name="payments-and-orders"
          columns={[
            ['What', (one) => titled(one.kind)],
            ['Order', (one) => (may('orders show') ? link(one.order) : one.order)],
            ['Payment', (one) => one.payment],
            ['Why', (one) => one.what]
          ]}
          rows={job.result?.differences}
        />
      )}
    </NumberedStep>
  );
}

const SIDES = [
  ['Captured', 'captured_minor'],
  ['Refunded', 'refunded_minor'],
  ['Disputed', 'disputed_minor'],
  ['Fees', 'fees_minor'],
  ['Left', 'net_minor']
];

function OfEvent({ event }) {
  const job = useJob('books check', event, done);
  const { result } = job?.state === 'done' ? job : {};
  return (
    <NumberedStep
      title="Check this event’s ledger"
      does="Compares each entry of the ledger with the payment provider’s books, and names each figure that differs."
    >
      <JobButton act="books check" event={event} args={{ event }} wanted={done}>
        Compare
      </JobButton>
      {result?.ledger && (
        <table class="ahead">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">What</span>
              </th>
              <th scope="col">Ledger</th>
              <th scope="col">Provider</th>
            </tr>
          </thead>
          <tbody>
            {SIDES.map(([name, field]) => (
              <tr key={field}>
                <th scope="row">{name}</th>
                <td>{money(result.ledger[field], result.currency)}</td>
                <td>{money(result.provider[field], result.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {result && (
        <DifferenceTable
          name={`${event}-ledger-differences`}
          columns={[
            ['What', (one) => titled(one.what)],
            ['Order', (one) => one.order],
            ['Payment', (one) => one.payment],
            ['Ledger', (one) => money(one.ledger_minor, result.currency)],
            ['Provider', (one) => money(one.provider_minor, result.currency)],
            ['Why', (one) => one.why]
          ]}
          rows={result.differences}
        />
      )}
    </NumberedStep>
  );
}

const OF_ACCOUNT = [
  ['Entered', 'entered'],
  ['Provider', 'provider'],
  ['Of our events', 'events'],
  ['Of others', 'others'],
  ['Paid out', 'paid_out']
];

function OfAccount() {
  const job = useJob('books check', '', done);
  const { result } = job?.state === 'done' ? job : {};
  const sums = OF_ACCOUNT.flatMap(([name, side]) =>
    Object.entries(result?.[side] ?? {}).map(([currency, sum]) => ({ name, currency, ...sum }))
  );
  return (
    <NumberedStep
      title="Check the whole account"
      does="Compares all movements and payouts of the account at the payment provider, of all events together."
    >
      <JobButton act="books check" event="" args={{}} wanted={done}>
        Compare
      </JobButton>
      {result && (
        <p class="dim">
          From {on(result.since)} to {on(result.until)}.
        </p>
      )}
      <DifferenceTable
        name="account"
        columns={[
          ['Side', (one) => one.name],
          ['Movements', (one) => count(one.count)],
          ['Amount', (one) => money(one.amount_minor, one.currency)],
          ['Fees', (one) => money(one.fee_minor, one.currency)],
          ['Left', (one) => money(one.net_minor, one.currency)]
        ]}
        rows={sums}
      />
      {result && (
        <DifferenceTable
          name="account-differences"
          columns={[
            ['What', (one) => titled(one.what)],
            ['Which', (one) => one.thing],
            ['Kind', (one) => one.kind],
            ['Ours', (one) => money(one.ours_minor, one.currency)],
            ['Provider', (one) => money(one.provider_minor, one.currency)],
            ['Why', (one) => one.why]
          ]}
          rows={result.differences}
        />
      )}
    </NumberedStep>
  );
}
