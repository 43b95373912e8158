// All events.

import { loadEvents } from './catalog.js';
import { every, h, show } from './dom.js';
import { dateText } from './format.js';
import { nowMs } from './clock.js';
import { page } from './main.js';

const REFRESH_MS = 5000;
const STATES = { paused: 'Paused', soldout: 'Sold out', closed: 'Closed' };

export function stateText(event) {
  if (STATES[event.state]) return STATES[event.state];
  return Date.parse(event.sale_opens_at) > nowMs() ? 'Coming up' : 'On sale';
}

function list(events) {
  if (!events.length)
    return h('p', { class: 'card' }, 'There is nothing on sale yet. This page looks again by itself.');
  return h(
    'ul',
    { class: 'events' },
    events.map((event) =>
      h(
        'li',
        {},
        h(
          'a',
          { class: 'card event', href: `#/e/${encodeURIComponent(event.event)}` },
          h('span', { class: `badge badge-${stateText(event).toLowerCase().replace(' ', '-')}` }, stateText(event)),
          h('strong', { class: 'event-name' }, event.name),
          h('span', { class: 'dim' }, `Sale from ${dateText(event.sale_opens_at)}`)
        )
      )
    )
  );
}

export async function open(signal) {
  const events = await loadEvents(signal);
  const shown = h('div', {}, list(events));
  page('Events', h('h1', {}, 'Events'), shown);
  let was = JSON.stringify(events);
  every(REFRESH_MS, signal, async () => {
    const now = await loadEvents(signal).catch(() => null); // the next look may succeed
    if (!now || JSON.stringify(now) === was) return;
    was = JSON.stringify(now);
    show(shown, list(now));
  });
}
