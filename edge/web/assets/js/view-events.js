// All events.

import { loadEvents } from './catalog.js';
import { h, nap, show } from './dom.js';
import { dateText, placeText } from './format.js';
import { links } from './links.js';
import { failedPauseMs, STATE_MS, statePauseMs } from './pace.js';
import { showPage } from './page.js';
import { badge, underName } from './parts.js';

function eventCard(event) {
  return h(
    'a',
    { class: 'card event', href: links.event(event.event) },
    badge(event),
    h('strong', { class: 'event-name' }, event.name),
    underName(event, 'span'),
    event.starts_at && h('span', {}, dateText(event.starts_at, event.time_zone)),
    event.venue && h('span', { class: 'dim' }, placeText(event)),
    h('span', { class: 'dim' }, `Sale from ${dateText(event.sale_starts_at, event.time_zone)}`)
  );
}

function eventList(events) {
  if (!events.length) {
    return h('p', { class: 'card' }, 'There is nothing on sale yet. This page looks again by itself.');
  }
  const cards = events.map((event) => h('li', {}, eventCard(event)));
  return h('ul', { class: 'events' }, cards);
}

/** Reads the events every now and then, more seldom while it fails; a hidden page rests. */
async function followEvents(list, events, signal) {
  let shown = JSON.stringify(events);
  let failures = 0;
  while (!signal.aborted) {
    await nap(failures ? failedPauseMs(failures, STATE_MS) : statePauseMs(), signal);
    if (signal.aborted || document.visibilityState !== 'visible') continue;
    try {
      const latest = await loadEvents(signal, { retry: false });
      failures = 0;
      if (JSON.stringify(latest) === shown) continue;
      shown = JSON.stringify(latest);
      show(list, eventList(latest));
    } catch {
      failures++; // a later look finds them
    }
  }
}

export async function open(signal) {
  const events = await loadEvents(signal);
  const list = h('div', {}, eventList(events));
  showPage('Events', h('h1', {}, 'Events'), list);
  followEvents(list, events, signal);
}
