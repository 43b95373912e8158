// What a page says once the buyer has no open session: where their order is, or that the session is over.

import { get } from './api.js';
import { authToken } from './auth.js';
import { announce, h } from './dom.js';
import { links } from './links.js';
import { listOrders } from './operations.js';
import { showCard } from './page.js';
import { say } from './words.js';

const STANDS = new Set(['pending', 'paid', 'ticketed']);

/** Returns the buyer's newest order for an event that may have tickets; nothing where it cannot be read. */
async function orderFor(event, signal) {
  const { orders } = await get(listOrders(), { token: authToken(), signal });
  return orders.find((one) => one.event === event && STANDS.has(one.state))?.order;
}

/** Leads to the buyer's order for this event; without one it shows that their session has ended. */
export async function showSessionOver(event, signal, text = say('session-time-over')) {
  const order = await orderFor(event, signal).catch(() => null);
  if (signal.aborted) return;
  const [title, lead, href, label] = order
    ? [say('session-ordered'), say('session-ordered-text'), links.order(order), say('page-to-order')]
    : [say('session-over'), text, links.event(event), say('page-to-event')];
  const way = h('a', { class: 'button primary', href }, label);
  showCard(title, title, h('p', { class: 'lead' }, lead), h('div', { class: 'buttons' }, way));
  announce(`${title}.`);
}
