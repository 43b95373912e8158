// The page of an event's rules, for who wants to know before the sale.

import { dress } from './brand.js';
import { loadEvent } from './catalog.js';
import { every, h, show } from './dom.js';
import { dateText } from './format.js';
import { links } from './links.js';
import { showCard } from './page.js';
import { badge, comesUp } from './parts.js';
import { rulesOf } from './rules.js';
import { readyWords, say } from './words.js';

const TICK_MS = 1000;

export async function open(signal, id) {
  const [event] = await Promise.all([loadEvent(id, signal), readyWords('rules')]);
  signal.throwIfAborted();
  dress(event);
  const date = dateText(event.sale_starts_at, event.time_zone);
  const state = h('p', {}, say('event-sale-starts', { date }));
  showCard(
    say('rules-title', { event: event.name }),
    say('event-rules'),
    h('p', { class: 'lead' }, h('bdi', {}, event.name)),
    state,
    h('div', { class: 'rules' }, rulesOf(event, 'h2')),
    h('div', { class: 'buttons' }, h('a', { class: 'button', href: links.event(id) }, say('page-to-event')))
  );
  every(TICK_MS, signal, () => !comesUp(event) && !state.firstElementChild && show(state, badge(event)));
}
