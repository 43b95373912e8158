// All events.

import { loadEvents } from './catalog.js';
import { every, h, show } from './dom.js';
import { dateText } from './format.js';
import { links } from './links.js';
import { showPage } from './page.js';
import { badge } from './parts.js';

const REFRESH_MS = 5000;

function eventCard(event) {
  return h(
    'a',
    { class: 'card event', href: links.event(event.event) },
    badge(event),
    h('strong', { class: 'event-name' }, event.name),
    h('span', { class: 'dim' }, `Sale from ${dateText(event.sale_opens_at)}`)
  );
}

function eventList(events) {
  if (!events.length) {
    return h('p', { class: 'card' }, 'There is nothing on sale yet. This page looks again by itself.');
  }
  const cards = events.map((event) => h('li', {}, eventCard(event)));
  return h('ul', { class: 'events' }, cards);
}

export async function open(signal) {
  const events = await loadEvents(signal);
  const list = h('div', {}, eventList(events));
  showPage('Events', h('h1', {}, 'Events'), list);
  let shown = JSON.stringify(events);
  every(REFRESH_MS, signal, async () => {
    const latest = await loadEvents(signal).catch(() => null); // the next attempt may succeed
    if (!latest || JSON.stringify(latest) === shown) return;
    shown = JSON.stringify(latest);
    show(list, eventList(latest));
  });
}
