// One event before the queue: countdown, prices, and the seat map to look at.

import { get, paths } from './api.js';
import { identity, signIn } from './auth.js';
import { loadEvent, loadVenue } from './catalog.js';
import { secondsUntil } from './clock.js';
import { every, h, notice, show } from './dom.js';
import { countdownParts, dateText, money } from './format.js';
import { followCounts } from './live.js';
import { page } from './main.js';
import { VenueMap } from './venue-map.js';
import { savedPlace } from './waiting.js';
import { tab } from './store.js';
import { stateText } from './view-events.js';

const NEAR_S = 1800; // the waiting room opens half an hour before doors: waiting tokens are short

function countdown(event, box, signal, opened) {
  let was = secondsUntil(event.sale_opens_at) > 0;
  every(250, signal, () => {
    const left = secondsUntil(event.sale_opens_at);
    if (left <= 0) {
      if (was) {
        was = false;
        opened();
      }
      show(box);
      return;
    }
    show(
      box,
      h('p', { class: 'dim' }, `The sale opens ${dateText(event.sale_opens_at)}`),
      h(
        'div',
        { class: 'countdown', role: 'timer' },
        countdownParts(left).map(([n, unit]) =>
          h('span', { class: 'count' }, h('b', {}, String(n).padStart(2, '0')), h('small', {}, unit))
        )
      )
    );
  });
}

async function liveSession(event, signal) {
  const who = identity();
  if (!who) return null;
  try {
    return await get(paths.liveSession(event), { token: who.token, signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    return null; // without it the waiting room finds out
  }
}

function way(event, session, lastOrder) {
  const path = `#/e/${encodeURIComponent(event.event)}`;
  const parts = [];
  if (lastOrder)
    parts.push(
      notice('info', 'You have an order for this event. ', h('a', { href: `#/o/${lastOrder}` }, 'See your order'))
    );
  if (session && ['reservation', 'checkout'].includes(session.state)) {
    return [...parts, h('a', { class: 'button primary big', href: path + '/sale' }, 'Continue choosing seats')];
  }
  if (event.state === 'soldout') return [...parts, notice('warn', 'Sold out. Every seat has a ticket.')];
  if (event.state === 'closed') return [...parts, notice('warn', 'The sale has closed.')];
  const left = secondsUntil(event.sale_opens_at);
  if (event.state === 'draining')
    parts.push(notice('warn', 'The waiting room takes nobody new in. Whoever waits already is still let in.'));
  if (event.state === 'paused')
    parts.push(notice('warn', 'The sale is paused. Whoever waits keeps their place; it goes on by itself.'));
  if (left > NEAR_S)
    return [
      ...parts,
      h(
        'p',
        { class: 'dim' },
        'The waiting room opens half an hour before the sale. Coming early gains nothing: all who are there when the sale opens start level.'
      )
    ];
  const text = savedPlace(event.event) ? 'Back to your place' : left > 0 ? 'Enter the waiting room' : 'Get tickets';
  parts.push(
    identity()
      ? h('a', { class: 'button primary big', href: path + '/wait' }, text)
      : h('button', { class: 'primary big', onclick: () => signIn(path + '/wait') }, text)
  );
  parts.push(
    h(
      'p',
      { class: 'dim small' },
      left > 0
        ? 'All who are here when the sale opens start level. There is no need to refresh.'
        : 'Places are drawn fairly. Refreshing or opening more windows changes nothing.'
    )
  );
  return parts;
}

function prices(event) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Prices'),
    h(
      'ul',
      { class: 'prices' },
      event.tiers.map((tier) =>
        h('li', {}, dot(tier.color), h('span', {}, tier.name), h('b', {}, money(tier.price_minor, event.currency)))
      )
    )
  );
}

export function dot(color) {
  const mark = h('span', { class: 'dot', 'aria-hidden': 'true' });
  mark.style.background = color;
  return mark;
}

export async function open(signal, id) {
  const event = await loadEvent(id, signal);
  const [venue, session] = await Promise.all([loadVenue(event), liveSession(id, signal)]);
  const lastOrder = identity() && tab.get(`order:${id}`);
  const timer = h('div', {});
  const action = h('div', { class: 'way' });
  const map = new VenueMap(venue, event, null);
  const draw = () => show(action, ...way(event, session, lastOrder));
  draw();
  page(
    event.name,
    h(
      'section',
      { class: 'hero' },
      h('p', { class: 'badge badge-' + stateText(event).toLowerCase().replace(' ', '-') }, stateText(event)),
      h('h1', {}, event.name),
      h('p', { class: 'lead' }, event.venue || venue.name),
      timer,
      action
    ),
    h(
      'div',
      { class: 'columns' },
      h('section', { class: 'card grow' }, h('h2', {}, 'Seat map'), map.element, map.key()),
      prices(event)
    )
  );
  countdown(event, timer, signal, draw);
  followCounts(id, { show: (counts) => map.update(counts), stale: () => {}, signal });
}
