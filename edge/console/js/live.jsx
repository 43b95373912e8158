// One screen to watch a sale on: figures, curves since its start, alarms with their next step.

import { look, may } from './acts.js';
import { Chart } from './chart.jsx';
import { Phase } from './events.jsx';
import { useFigures } from './figures.js';
import { ageS, at, count, money, on, rate, share, span } from './format.js';
import { Card, Loading, NoNewer, Notice, Refusal, Tile } from './kit.jsx';
import { later } from './later.jsx';
import { Pending } from './pending.jsx';
import { useLook } from './use-look.js';

const Rehearsal = later(async () => (await import('./rehearsal.jsx')).Rehearsal);
const HeatCard = later(async () => (await import('./map/heat-card.jsx')).HeatCard);
const OLD_S = 30; // figures are made each ten seconds
const SHOWN_MS = 60000;
const FAILING_SHARE = 0.05;

export function Live({ event }) {
  const { figures, series, problem } = useFigures(event);
  const { data: shown, again } = useLook(() => look('event show', { event }), [event], SHOWN_MS);
  const appeals = useLook(() => (may('desk appeals') ? look('desk appeals', { event }) : null), [event], SHOWN_MS).data;
  const crowd = shown?.rehearsal && (
    <Rehearsal event={event} rehearsal={shown.rehearsal} closed={shown.phase === 'closed'} onDone={again} />
  );
  if (!figures) {
    return (
      <>
        {problem ? <NoFigures name={shown?.name ?? event} problem={problem} made={shown} /> : <Loading />}
        {crowd}
      </>
    );
  }
  const ageOf = ageS(figures.at, Date.parse(figures.now));
  return (
    <>
      <div class="head row">
        <div>
          <h1>{figures.name || event}</h1>
          <p class="dim">
            <span class="figure">
              Sale {Date.parse(figures.gate.sale_starts_at) > Date.now() ? 'starts' : 'started'}{' '}
              {on(figures.gate.sale_starts_at)} · figures of {at(figures.at)}, {span(ageOf)} old
            </span>
          </p>
        </div>
        <span class="push row">
          <Phase
            phase={figures.gate.phase}
            cancelled={shown?.cancelled_at}
            hidden={shown?.hidden}
            rehearsal={shown?.rehearsal}
          />
        </span>
      </div>
      <NoNewer problem={problem} />
      {crowd}
      <Pending event={event} />
      <Tiles figures={figures} series={series} />
      <Card title="What needs you">
        <Needs figures={figures} ageS={ageOf} appeals={appeals?.count ?? 0} />
      </Card>
      <div class="board">
        <Curves figures={figures} series={series} />
        <div class="aside">
          <Acts figures={figures} />
          <Feeds figures={figures} />
        </div>
      </div>
      {shown?.layout && <HeatCard event={event} layout={shown.layout} />}
    </>
  );
}

/** `made`: the event is there. */
function NoFigures({ name, problem, made }) {
  const soon = problem.status === 404 && <p>Figures come within a minute after an event was made.</p>;
  return (
    <>
      <h1>{name}</h1>
      {soon && made ? <Notice tone="info">{soon}</Notice> : <Refusal problem={problem} />}
      {soon && !made && soon}
    </>
  );
}

function Tiles({ figures: { room, sale, seats }, series }) {
  const tried = sale.paid + sale.declined;
  const failing = tried ? sale.declined / tried : null;
  const change = perMinute(series, 'waiting');
  return (
    <dl class="tiles">
      <Tile
        name="Waiting"
        value={count(room.waiting)}
        more={change === null ? `± ${count(room.waiting_error)}` : `${signed(change)} a minute`}
      />
      <Tile name="Shopping" value={count(room.live)} more={room.live_max ? `target ${count(room.live_max)}` : ''} />
      <Tile
        name="Let in a second"
        value={rate(room.admitted_per_s)}
        more={room.wait_s ? `new ones wait ${span(room.wait_s)}` : ''}
      />
      <Tile name="In a basket" value={count(seats.held)} more={`${count(seats.free)} free`} />
      <Tile name="Sold" value={count(seats.sold)} more={`${share(seats.sold, seats.total)} of ${count(seats.total)}`} />
      <Tile
        name="Takings"
        value={money(sale.revenue_minor, sale.currency, { round: true })}
        more={sale.paid === 1 ? '1 order' : `${count(sale.paid)} orders`}
      />
      <Tile
        name="Payments declined"
        value={count(sale.declined)}
        more={failing === null ? '' : `${share(sale.declined, tried)} of all tries`}
        tone={failing > FAILING_SHARE ? 'warn' : ''}
      />
      <Tile name="Refunds due" value={count(sale.refunds_due)} more={money(sale.refunds_due_minor, sale.currency)} />
    </dl>
  );
}

const signed = (value) => (value > 0 ? `+${count(value)}` : count(value).replace('-', '−'));

/** Returns by how much a column changed in the last minute; null where less than half a minute is known. */
export function perMinute(series, name) {
  const { times } = series;
  const last = times.length - 1;
  const from = times.findIndex((time) => time >= times[last] - 60);
  const [a, b] = [series[name]?.[from], series[name]?.[last]];
  const over = times[last] - times[from];
  return over >= 30 && a !== null && b !== null ? Math.round(((b - a) * 60) / over) : null;
}

function Curves({ figures: { gate, room, seats }, series }) {
  const { times } = series;
  const planned = (gate.planned ?? []).filter(({ tau_s: tau }) => tau !== null);
  const plan = planned.length > 0 ? planSeries(series, planned) : null;
  const ahead = planned.map((one) => `${rate(one.tau_s)} s from ${at(one.starts_at)}`).join(', ');
  const pace = plan ?? { times, values: series.tau_s, planned: null };
  return (
    <div class="curves">
      <Card title="The crowd" aside="people">
        <Chart
          times={times}
          write={count}
          says={`${count(room.waiting)} wait, about ${count(room.joined)} have come.`}
          series={[
            { name: 'waiting', values: series.waiting, fill: true },
            { name: 'have come', values: series.joined, tone: 'dim', dash: true }
          ]}
        />
      </Card>
      <Card title="Shoppers against the target" aside="people">
        <Chart
          times={times}
          write={count}
          says={`${count(room.live)} shop, the target is ${count(room.live_max)}.`}
          series={[
            { name: 'shopping', values: series.live },
            { name: 'target', values: series.live_max, tone: 'dim', dash: true }
          ]}
        />
      </Card>
      <Card title="Pace τ" aside="seconds; lower is faster">
        <Chart
          times={pace.times}
          write={count}
          until={planned.length > 0 ? Date.parse(planned.at(-1).starts_at) / 1000 + 60 : undefined}
          says={`τ is ${rate(gate.tau_s)} s. ${ahead ? `Planned: ${ahead}.` : 'Nothing is planned.'}`}
          series={[
            { name: 'in force', values: pace.values, step: true },
            ...(pace.planned ? [{ name: 'planned', values: pace.planned, step: true, dash: true }] : [])
          ]}
        />
      </Card>
      <Card title="Let in a second" aside="sessions">
        <Chart
          times={times}
          write={rate}
          says={`${rate(room.admitted_per_s)} are let in a second.`}
          series={[{ name: 'let in', values: series.admitted_per_s }]}
        />
      </Card>
      <Card title="Places" aside={`of ${count(seats.total)}`}>
        <Chart
          times={times}
          write={count}
          says={`${count(seats.sold)} are sold, ${count(seats.held)} are in baskets.`}
          series={[
            { name: 'sold', values: series.sold, fill: true },
            { name: 'in baskets', values: series.held, tone: 'warn' }
          ]}
        />
      </Card>
      <Card title="Payments" aside="since the start">
        <Chart
          times={times}
          write={count}
          says={`${count(series.paid.at(-1))} orders are paid, ${count(series.declined.at(-1))} tries were declined.`}
          series={[
            { name: 'paid', values: series.paid },
            { name: 'declined', values: series.declined, tone: 'bad' }
          ]}
        />
      </Card>
    </div>
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

/** Says what is not as it should be, each with its next step. */
function Needs({ figures, ageS: old, appeals }) {
  const needs = [];
  const { gate, room, sale, edges } = figures;
  if (old > OLD_S)
    needs.push(['bad', `These figures are ${span(old)} old.`, 'Is the controller called? See the alarms.']);
  for (const part of ['gate', 'room', 'sale', 'seats', 'edges', 'desk', 'keys']) {
    if (figures[part].error)
      needs.push(['warn', `${PARTS[part]}: ${figures[part].error}`, `last read ${at(figures[part].at)}`]);
  }
  if (edges.heard === false)
    needs.push(['warn', 'Not every edge has the last change yet.', `changed at ${at(edges.changed_at)}`]);
  if (room.refused_full > 0) {
    needs.push([
      'warn',
      `${count(room.refused_full)} admitted buyers wait for capacity.`,
      'Raise the target, or slow the pace.'
    ]);
  }
  const tried = sale.paid + sale.declined;
  if (tried > 20 && sale.declined / tried > FAILING_SHARE) {
    needs.push(['warn', `${share(sale.declined, tried)} of all payments are declined.`, 'Ask the payment provider.']);
  }
  if (appeals > 0) needs.push(['warn', `${appealing(appeals)} that a person looks.`, 'Answer under “People”.']);
  if (sale.refunds_due > 0)
    needs.push(['info', `${count(sale.refunds_due)} refunds are not on their way yet.`, 'They go by themselves.']);
  if (gate.phase === 'paused')
    needs.push(['info', 'The sale is paused. Everybody keeps their place.', 'Resume it under “Steer”.']);
  if (sale.sold_out_at) needs.push(['info', `At this pace all is sold at ${at(sale.sold_out_at)}.`, '']);
  if (needs.length === 0) return <Notice tone="good">Everything is as it should be.</Notice>;
  return (
    <ul class="needs">
      {needs.map(([tone, text, step]) => (
        <li key={text} class={tone}>
          <strong>{text}</strong>
          {step && <span class="dim">{step}</span>}
        </li>
      ))}
    </ul>
  );
}

const appealing = (n) => (n === 1 ? 'A buyer who is locked out asks' : `${count(n)} buyers who are locked out ask`);

const PARTS = {
  gate: 'The gate',
  room: 'The waiting room',
  sale: 'The money',
  seats: 'The seats',
  edges: 'The edges',
  desk: 'The risk desk',
  keys: 'The keys'
};

function Feeds({ figures }) {
  return (
    <Card title="Age of the figures">
      <dl class="ages">
        {Object.entries(PARTS).map(([part, name]) => (
          <div key={part}>
            <dt>{name}</dt>
            <dd>{span(ageS(figures[part].at, Date.parse(figures.now)))}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Acts({ figures }) {
  const acts = figures.acts.acts ?? [];
  return (
    <Card title="Last acts">
      <ol class="timeline">
        {acts.map((one) => (
          <li key={one.number}>
            <strong>{one.act}</strong> {one.phase !== 'done' && <span class="dim">({one.phase})</span>}
            <br />
            <span class="dim">
              {at(one.at)}, {one.who}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
