// All orders of the buyer, the newest first.

import { get } from './api.js';
import { authToken } from './auth.js';
import { h, show } from './dom.js';
import { dateText, listText, money } from './format.js';
import { placeLabel } from './labels.js';
import { links } from './links.js';
import { listHeldTickets, listOrders } from './operations.js';
import { stateWord } from './order-words.js';
import { findLine, showPage } from './page.js';
import { explain } from './problems.js';
import { say } from './words.js';

function orderCard(order) {
  const [word, kind] = stateWord(order);
  const total = money(order.total_minor, order.currency);
  const text = order.tickets ? say('orders-count', { count: order.tickets, sum: total }) : total;
  const back = order.state === 'refunded' ? 'orders-sent-back' : 'orders-goes-back';
  const sum = order.returned_minor && money(order.returned_minor, order.currency);
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'card event', href: links.order(order.order) },
      h('span', { class: `badge badge-${kind}` }, word),
      h('strong', { class: 'event-name' }, h('bdi', {}, order.event_name || say('order-heading'))),
      h('span', {}, sum ? say(back, { text, sum }) : text),
      h('span', { class: 'dim' }, dateText(order.created_at))
    )
  );
}

/** What was passed on to the buyer: a card for each order that it is of. */
function heldCards(held) {
  if (!held.length) return null;
  return [h('h2', {}, say('orders-passed-on')), h('ul', { class: 'events held' }, held.map(heldCard))];
}

function heldCard({ order, event_name: name, good, event_cancelled: cancelled, transfer }) {
  const own = transfer.tickets.filter(({ state }) => ['good', 'offered'].includes(state));
  const passed = !own.length && transfer.tickets.some(({ state }) => state === 'passed-on');
  const [word, kind] = (cancelled && [say('order-word-event-cancelled'), 'closed']) ||
    (passed && [say('orders-word-passed-on'), 'closed']) ||
    (good && own.length && [say('order-word-ticketed'), 'on-sale']) || [say('orders-word-void'), 'closed'];
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'card event', href: links.held(order) },
      h('span', { class: `badge badge-${kind}` }, word),
      h('strong', { class: 'event-name' }, h('bdi', {}, name || say('orders-ticket'))),
      h('span', {}, listText((own.length ? own : transfer.tickets).map(({ label }) => placeLabel(label))))
    )
  );
}

/** The button that brings older orders, in their place. */
function older(list, after, signal) {
  const words = h('span', { role: 'status' });
  const button = h('button', {}, say('orders-older'));
  const row = h('div', { class: 'buttons' }, button, words);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const page = await read(after, signal);
      const first = page.orders.map(orderCard);
      list.append(...first);
      row.replaceWith(...(page.after ? [older(list, page.after, signal)] : []));
      first[0]?.querySelector('a').focus();
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      show(words, say('orders-older-failed', { why: explain(error) }));
    }
  });
  return row;
}

const read = (after, signal) => get(listOrders({ after }), { token: authToken(), retry: true, signal });

export async function open(signal) {
  const [page, { orders: held }] = await Promise.all([
    read('', signal),
    get(listHeldTickets(), { token: authToken(), retry: true, signal })
  ]);
  const title = say('page-my-orders');
  if (!page.orders.length && !held.length) {
    const events = h('a', { class: 'button primary', href: links.events }, say('page-all-events'));
    const none = h('p', {}, say('orders-none'));
    const ways = h('div', { class: 'buttons' }, events);
    showPage(title, h('h1', {}, title), h('div', { class: 'card' }, none, ways, findLine()));
    return;
  }
  const list = h('ul', { class: 'events' }, page.orders.map(orderCard));
  showPage(
    title,
    h('h1', {}, title),
    heldCards(held),
    held.length > 0 && page.orders.length > 0 && h('h2', {}, say('orders-bought')),
    page.orders.length > 0 && list,
    page.after && older(list, page.after, signal),
    findLine()
  );
}
