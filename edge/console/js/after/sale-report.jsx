// What happened in a sale: counted from the logs of requests, beside what the service has itself.

import { look, may } from '../acts.js';
import { count, money, share, span } from '../format.js';
import { Button, Card, Empty, Loading, Refusal, Tile } from '../kit.jsx';
import { JobButton } from '../jobs/button.jsx';
import { useJob } from '../jobs/job.jsx';
import { HeatCard } from '../map/heat-card.jsx';
import { useLook } from '../use-look.js';
import { AnswerCard } from './answer-card.jsx';
import { funnelOf, lossesOf, mostOf, sumOf } from './answers.js';
import { Sales } from './sales.jsx';

/** In this order; those that only tables say stand at the end. */
const SHOWN = [
  'arrivals_by_minute',
  'waits_by_arrival',
  'seats_by_minute',
  'requests_by_minute',
  'refusals',
  'robots',
  'origins',
  'answers_by_route'
];

const wanted = (job) => !job.dry_run;
const made = (job) => wanted(job) && job.state === 'done';

export function SaleReport({ event, figures, again }) {
  const sales = useLook(() => (may('books sales') ? look('books sales', { event }) : null), [event]);
  const shown = useLook(() => (may('event show') ? look('event show', { event }) : null), [event]);
  const answers = useJob('report', event, made)?.result?.answers; // shown until there are newer ones
  const known = SHOWN.filter((name) => answers?.[name]);
  return (
    <>
      <div class="row buttons files">
        <Button onClick={() => (again(), sales.again())}>Read again</Button>
        <Button onClick={() => globalThis.print()}>Print or save as PDF</Button>
      </div>
      <Refusal problem={sales.problem} />
      <Tiles figures={figures} sales={sales.data} answers={answers} />
      <FromTheLogs event={event} answers={answers} />
      <Funnel steps={lossesOf(funnelOf(figures, answers))} logged={Boolean(answers)} />
      <div class="curves two">
        {known.map((name) => (
          <AnswerCard key={name} event={event} name={name} answer={answers[name]} />
        ))}
      </div>
      {shown.data?.layout && <HeatCard event={event} layout={shown.data.layout} />}
      {sales.data ? <Sales sales={sales.data} /> : may('books sales') && <Loading />}
    </>
  );
}

function FromTheLogs({ event, answers }) {
  if (!may('report')) return null;
  return (
    <div class="files">
      <Card title="From the logs of requests">
        <p class="dim">
          Counts arrivals, waits, seats and refusals by minute. The logs name no buyer.{' '}
          {answers ? 'What is shown below is as it was when it was made.' : 'No report has been made yet.'}
        </p>
        <JobButton act="report" event={event} args={{ event }} wanted={wanted} main={!answers} quiet={Boolean(answers)}>
          {answers ? 'Make it again' : 'Make the report'}
        </JobButton>
      </Card>
    </div>
  );
}

function Tiles({ figures, sales, answers }) {
  const { seats, sale } = figures;
  const back = (sales?.rows ?? []).filter(({ kind }) => kind === 'refund');
  const given = back.reduce((sum, one) => sum - one.amount_minor, 0);
  const asked = sumOf(answers?.seats_by_minute, 'asked');
  const taken = sumOf(answers?.seats_by_minute, 'taken');
  const requests = sumOf(answers?.requests_by_minute, 'requests');
  const failed = sumOf(answers?.requests_by_minute, 'failed');
  const waited = mostOf(answers?.waits_by_arrival, 'p95_s');
  return (
    <dl class="tiles broad">
      <Tile name="Sold" value={count(seats.sold)} more={`${share(seats.sold, seats.total)} of ${count(seats.total)}`} />
      <Tile name="Takings" value={money(sale.revenue_minor, sale.currency)} more={`${count(sale.paid)} orders`} />
      {sales && (
        <>
          <Tile name="Given back" value={money(given, sales.currency)} />
          <Tile
            name="Net"
            value={money(sales.total.net_minor, sales.currency)}
            more={`VAT ${money(sales.total.vat_minor, sales.currency)}`}
          />
        </>
      )}
      {waited !== null && (
        <Tile name="Wait in the worst minute" value={span(waited)} more="one in twenty waited longer" />
      )}
      {asked !== null && (
        <Tile name="Seat already taken" value={share(taken, asked)} more={`of ${count(asked)} requests for seats`} />
      )}
      {requests !== null && (
        <Tile
          name="Requests that failed"
          value={count(failed)}
          more={`of ${count(requests)}`}
          tone={failed > requests / 1000 ? 'warn' : ''}
        />
      )}
    </dl>
  );
}

function Funnel({ steps, logged }) {
  return (
    <Card title="From arrival to ticket">
      {!logged && (
        <p class="dim">Who came in, held a place and went to pay is in the logs, which are not counted yet.</p>
      )}
      {steps.length === 0 && <Empty>Nobody has come yet.</Empty>}
      <ol class="funnel">
        {steps.map((one) => (
          <li key={one.name}>
            <span class="row">
              <strong>{one.name}</strong>
              <span class="figure">{count(one.count)}</span>
              <small>{one.of}</small>
              {one.share !== null && <span class="push figure">{share(one.share, 1)}</span>}
            </span>
            <span class="bar" aria-hidden="true">
              <i style={{ inlineSize: `${100 * Math.min(1, one.share ?? 0)}%` }} />
            </span>
            {one.lost > 0 && (
              <small>
                {count(one.lost)} {one.why}
              </small>
            )}
          </li>
        ))}
      </ol>
      <p class="dim">
        Steps are counted in different units: a person may have several sessions and orders. Sessions are those of the
        whole stage.
      </p>
    </Card>
  );
}
