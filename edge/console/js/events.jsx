// All events on one panel: what each one is doing, and what it has sold.

import { figuresOf, look, may } from './acts.js';
import { ageS, at, count, money, on, rate, share, span, zone } from './format.js';
import { Badge, Bounded, Empty, Loading, NoNewer, Refusal } from './kit.jsx';
import { useLook } from './use-look.js';

const LIST_MS = 30000;
const EACH_MS = 1000; // of a reading for each event: one address may ask about twice a second
const FIGURES_MS = 5000;

const OF_PHASE = {
  admitting: ['good', 'On sale'],
  paused: ['warn', 'Paused'],
  'at capacity': ['warn', 'At capacity'],
  'draw suspended': ['warn', 'All are let in'],
  draining: ['warn', 'Nobody new joins'],
  draft: ['info', 'Draft'],
  'before the sale': ['info', 'Before the sale'],
  'sold out': ['info', 'Sold out'],
  closed: ['info', 'Closed']
};

/** What an event is doing, as a shape, a colour and words. */
export function Phase({ phase, cancelled, hidden, rehearsal }) {
  const [tone, words] = OF_PHASE[phase] ?? ['info', phase ?? 'not known'];
  return (
    <>
      <Badge tone={cancelled ? 'bad' : tone}>{cancelled ? 'Cancelled' : words}</Badge>
      {hidden && !rehearsal && <Badge tone="warn">Hidden</Badge>}
      {rehearsal && <Badge tone="warn">Rehearsal</Badge>}
    </>
  );
}

export function Events() {
  const { data, problem } = useLook(() => look('event list'), [], LIST_MS);
  if (!data) return problem ? <Refusal problem={problem} /> : <Loading />;
  const going = data.events.filter((event) => !event.ended);
  const ended = data.events.filter((event) => event.ended);
  const everyMs = Math.max(FIGURES_MS, going.length * EACH_MS);
  return (
    <>
      <div class="head row">
        <div>
          <h1>Events</h1>
          <p class="dim">Times are those of {zone}.</p>
        </div>
        {may('event create') && (
          <a class="button primary push" href="#/new">
            New event
          </a>
        )}
      </div>
      <Refusal problem={problem} />
      {going.length === 0 && <Empty>No event is going on.</Empty>}
      <ul class="events">
        {going.map((event) => (
          <li class="card event" key={event.event}>
            <Bounded>
              <Event event={event} everyMs={everyMs} />
            </Bounded>
          </li>
        ))}
      </ul>
      {ended.length > 0 && (
        <details>
          <summary>Events that are over ({ended.length})</summary>
          <ul class="events">
            {ended.map((event) => (
              <li class="card event" key={event.event}>
                <Bounded>
                  <Event event={event} />
                </Bounded>
              </li>
            ))}
          </ul>
        </details>
      )}
      {data.damaged.length > 0 && (
        <Refusal problem={{ message: 'These events cannot be read as a whole:', fields: { reasons: data.damaged } }} />
      )}
    </>
  );
}

function Event({ event, everyMs }) {
  const mayWatch = may('event show', event.event);
  const tab = mayWatch ? 'live' : 'acts';
  const watched = everyMs && mayWatch;
  const { data, problem, readAt } = useLook(
    () => (watched ? figuresOf(event.event) : null),
    [event.event],
    watched ? everyMs : 0
  );
  const { room, seats, sale } = data ?? {};
  const ageOf = data && ageS(data.at, Date.parse(data.now) + Date.now() - readAt);
  const over = (Date.now() - Date.parse(event.sale_starts_at)) / 1000;
  return (
    <>
      <div class="row">
        <h2>
          <a href={`#/e/${encodeURIComponent(event.event)}/${tab}`}>{event.name}</a>
        </h2>
        <span class="push row">
          <Phase
            phase={data?.gate.phase ?? event.phase}
            cancelled={event.cancelled_at}
            hidden={event.hidden}
            rehearsal={event.rehearsal}
          />
        </span>
      </div>
      <p class="dim">
        {event.venue_name} · sale {over >= 0 ? 'started' : 'starts'} {on(event.sale_starts_at)}
        {over < 0 && ` (in ${span(over)})`}
      </p>
      {data && problem && <NoNewer problem={problem} />}
      {data && (
        <dl class="inline">
          <div>
            <dt>Waiting</dt>
            <dd>{count(room.waiting)}</dd>
          </div>
          <div>
            <dt>Shopping</dt>
            <dd>
              {count(room.live)} <small>of {count(room.live_max)}</small>
            </dd>
          </div>
          <div>
            <dt>In a second</dt>
            <dd>{rate(room.admitted_per_s)}</dd>
          </div>
          <div>
            <dt>Sold</dt>
            <dd>
              {count(seats.sold)} <small>{share(seats.sold, seats.total)}</small>
            </dd>
          </div>
          <div>
            <dt>Takings</dt>
            <dd>{money(sale.revenue_minor, sale.currency)}</dd>
          </div>
          <div>
            <dt>Figures of</dt>
            <dd>
              {at(data.at)} <small>{span(ageOf)} old</small>
            </dd>
          </div>
        </dl>
      )}
    </>
  );
}
