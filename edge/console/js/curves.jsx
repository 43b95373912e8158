// The curves of a sale since its start, with what is planned ahead and what was forecast.

import { Chart } from './chart.jsx';
import { withForecast } from './forecast.js';
import { at, count, rate } from './format.js';
import { Card } from './kit.jsx';

/** Returns the series of a forecast's column, or nothing where there is none. */
const behind = (values) => (values ? [{ name: 'forecast', values, tone: 'dim', dots: true }] : []);

/** A chart on a card of its own, with what is said below it. */
const Curve = ({ title, aside, children, ...chart }) => (
  <Card title={title} aside={aside}>
    <Chart {...chart} />
    {children}
  </Card>
);

export function Curves({ figures, series, forecast }) {
  const { gate, room, sale, seats, desk } = figures;
  const { times } = series;
  const before = withForecast(series, forecast, Date.parse(gate.sale_starts_at) / 1000);
  return (
    <div class="curves">
      <Curve
        title="The crowd"
        aside="people"
        times={before.times}
        write={count}
        says={`${count(room.waiting)} wait, about ${count(room.joined)} have come.`}
        series={[
          { name: 'waiting', values: before.real('waiting'), fill: true },
          { name: 'have come', values: before.real('joined'), tone: 'dim', dash: true },
          ...behind(before.expected('waiting'))
        ]}
      />
      <Curve
        title="Shoppers against the target"
        aside="people"
        times={before.times}
        write={count}
        says={`${count(room.live)} shop, the target is ${count(room.live_max)}.`}
        series={[
          { name: 'shopping', values: before.real('live') },
          { name: 'target', values: before.real('live_max'), tone: 'dim', dash: true },
          ...behind(before.expected('live'))
        ]}
      />
      <Pace gate={gate} series={series} />
      <Curve
        title="Let in a second"
        aside="sessions"
        times={before.times}
        write={rate}
        says={`${rate(room.admitted_per_s)} are let in a second.`}
        series={[
          { name: 'let in', values: before.real('admitted_per_s') },
          ...behind(before.expected('admitted_per_s'))
        ]}
      />
      <Curve
        title="Places"
        aside={`of ${count(seats.total)}`}
        times={times}
        write={count}
        says={`${count(seats.sold)} are sold, ${count(seats.held)} are in baskets.`}
        series={[
          { name: 'sold', values: series.sold, fill: true },
          { name: 'in baskets', values: series.held, tone: 'warn' }
        ]}
      />
      <Curve
        title="Payments and tickets"
        aside="since the start"
        times={times}
        write={count}
        says={payments(sale)}
        series={[
          { name: 'orders paid', values: series.paid },
          { name: 'tickets', values: series.tickets, tone: 'good' },
          { name: 'tries declined', values: series.declined, tone: 'bad' }
        ]}
      />
      <Curve
        title="Refusals by reason"
        aside="since the start"
        times={times}
        write={count}
        says={refusals(figures)}
        series={[
          { name: 'wait for capacity now', values: series.refused_full, tone: 'warn' },
          { name: 'payments declined', values: series.declined, tone: 'bad' },
          { name: 'orders ended unpaid', values: series.failed },
          { name: 'sessions ended unpaid', values: series.ended_unpaid, tone: 'dim' },
          { name: 'flagged', values: series.flagged, tone: 'dim', dash: true },
          { name: 'locked', values: series.locked, tone: 'bad', dash: true }
        ]}
      >
        <p class="dim">
          {count(sale.found_nothing)} sessions found nothing; the risk desk flagged {count(desk.flagged)} accounts and
          locked {count(desk.locked)}. CloudWatch counts holds of taken seats and requests over a limit, for all events
          together.
        </p>
      </Curve>
    </div>
  );
}

const payments = ({ paid, tickets, declined }) =>
  `${count(paid)} orders with ${count(tickets)} tickets are paid, ${count(declined)} tries were declined.`;

const refusals = ({ room, sale, desk }) =>
  `${count(room.refused_full)} wait for capacity, ${count(sale.declined)} payments were declined, ` +
  `${count(sale.failed)} orders and ${count(sale.ended_unpaid)} sessions ended unpaid, ` +
  `${count(desk.flagged)} accounts were flagged and ${count(desk.locked)} locked.`;

function Pace({ gate, series }) {
  const planned = (gate.planned ?? []).filter(({ tau_s: tau }) => tau !== null);
  const plan = planned.length > 0 ? planSeries(series, planned) : null;
  const ahead = planned.map((one) => `${rate(one.tau_s)} s from ${at(one.starts_at)}`).join(', ');
  const pace = plan ?? { times: series.times, values: series.tau_s, planned: null };
  return (
    <Curve
      title="Pace τ"
      aside="seconds; lower is faster"
      times={pace.times}
      write={count}
      until={planned.length > 0 ? Date.parse(planned.at(-1).starts_at) / 1000 + 60 : undefined}
      says={`τ is ${rate(gate.tau_s)} s. ${ahead ? `Planned: ${ahead}.` : 'Nothing is planned.'}`}
      series={[
        { name: 'in force', values: pace.values, step: true },
        ...(pace.planned ? [{ name: 'planned', values: pace.planned, step: true, dash: true }] : [])
      ]}
    />
  );
}

/** Puts what is planned behind what happened, as a second curve. */
function planSeries(series, planned) {
  const times = [...series.times];
  const values = [...series.tau_s];
  const ahead = times.map(() => null);
  if (ahead.length > 0) ahead[ahead.length - 1] = values.at(-1);
  for (const { starts_at: from, tau_s: tau } of planned) {
    times.push(Date.parse(from) / 1000);
    values.push(null);
    ahead.push(tau);
  }
  times.push(times.at(-1) + 60);
  values.push(null);
  ahead.push(ahead.at(-1));
  return { times, values, planned: ahead };
}
