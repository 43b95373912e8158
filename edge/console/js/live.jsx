// One screen to watch a sale on: figures, curves since its start, alarms with their next step.

import { useState } from 'preact/hooks';
import { look, may } from './acts.js';
import { CostTile } from './cost-tile.jsx';
import { Curves } from './curves.jsx';
import { apart } from './forecast.js';
import { Phase } from './events.jsx';
import { perMinute, useFigures } from './figures.js';
import { ageS, at, count, money, on, rate, share, span } from './format.js';
import { Card, Loading, NoNewer, Notice, Refusal, Tile } from './kit.jsx';
import { later } from './later.jsx';
import { FAILING_SHARE, needsOfAlarms, needsOfFigures, PARTS, watchedBy } from './needs.js';
import { Pending } from './pending.jsx';
import { useLook } from './use-look.js';

const Rehearsal = later(async () => (await import('./rehearsal.jsx')).Rehearsal);
const HeatCard = later(async () => (await import('./map/heat-card.jsx')).HeatCard);
const SHOWN_MS = 60000;
const ALARMS_MS = 15000; // one address may ask for all of it about twice a second

export function Live({ event }) {
  const { figures, series, problem } = useFigures(event);
  const { data: shown, again } = useLook(() => look('event show', { event }), [event], SHOWN_MS);
  const appeals = useLook(() => (may('desk appeals') ? look('desk appeals', { event }) : null), [event], SHOWN_MS).data;
  const kept = useLook(() => keptOf(event), [event], SHOWN_MS).data;
  const [drawn, setDrawn] = useState(true);
  const forecast = kept?.forecast?.run ?? null;
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
      <Tiles event={event} figures={figures} series={series} />
      <Needs event={event} figures={figures} old={ageOf} appeals={appeals?.count ?? 0} />
      <div class="board">
        <div class="forms">
          <Forecast figures={figures} series={series} forecast={forecast} is={drawn} set={setDrawn} />
          <Curves figures={figures} series={series} forecast={drawn ? forecast : null} />
        </div>
        <div class="aside">
          <Acts figures={figures} />
          <Feeds figures={figures} />
        </div>
      </div>
      {shown?.layout && <HeatCard event={event} layout={shown.layout} />}
    </>
  );
}

const keptOf = async (event) => (may('forecast show') ? look('forecast show', { event }) : null);

/** Says how far the sale is from its forecast, and lets it be hidden. */
function Forecast({ figures, series, forecast, is, set }) {
  if (!forecast) return null;
  const far = apart(series, forecast, Date.parse(figures.gate.sale_starts_at) / 1000);
  return (
    <div class="row">
      <p class="dim">
        {is && `Against the forecast for ${count(forecast.buyers)} buyers: ${far || 'nothing to compare yet.'}`}
      </p>
      <label class="check push">
        <input type="checkbox" checked={is} onChange={(e) => set(e.target.checked)} />
        <span>Forecast behind the curves</span>
      </label>
    </div>
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

function Tiles({ event, figures: { room, sale, seats }, series }) {
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
      <CostTile event={event} />
    </dl>
  );
}

const signed = (value) => (value > 0 ? `+${count(value)}` : count(value).replace('-', '−'));

/** Says what is not as it should be, each with its next step. The alarms are asked beside the figures. */
function Needs({ event, figures, old, appeals }) {
  const { data: alarms, problem } = useLook(() => look('live alarms', { event }), [event], ALARMS_MS);
  const needs = [...needsOfAlarms(alarms, problem), ...needsOfFigures(figures, old, appeals)];
  return (
    <Card title="What needs you">
      {needs.length === 0 && <Notice tone="good">By the figures everything is as it should be.</Notice>}
      <ul class="needs">
        {needs.map(([tone, text, step, meaning]) => (
          <li key={text} class={tone}>
            <strong>{text}</strong>
            {meaning && <span>{meaning}</span>}
            {step && (
              <span class="dim">
                {meaning && 'Next: '}
                <Step text={step} />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p class="dim">{alarms || problem ? watchedBy(alarms) : 'The alarms are being read.'}</p>
    </Card>
  );
}

/** A step of the runbook: what stands between ` is for a machine. */
const Step = ({ text }) => text.split('`').map((part, n) => (n % 2 ? <code key={n}>{part}</code> : part));

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
