// All orders of the buyer, the newest first.

import { get } from './api.js';
import { authToken } from './auth.js';
import { h, show } from './dom.js';
import { dateText, money, plural } from './format.js';
import { links } from './links.js';
import { listHeldTickets, listOrders } from './operations.js';
import { stateWord } from './order-words.js';
import { findLine, showPage } from './page.js';
import { explain } from './problems.js';

const AGAIN = 'The older orders could not be loaded. ';

function orderCard(order) {
  const [word, kind] = stateWord(order);
  const count = order.tickets ? `${plural(order.tickets, 'ticket')} · ` : '';
  const back = order.returned_minor
    ? ` · ${money(order.returned_minor, order.currency)} ${order.state === 'refunded' ? 'sent' : 'goes'} back`
    : '';
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'card event', href: links.order(order.order) },
      h('span', { class: `badge badge-${kind}` }, word),
      h('strong', { class: 'event-name' }, order.event_name || 'Order'),
      h('span', {}, `${count}${money(order.total_minor, order.currency)}${back}`),
      h('span', { class: 'dim' }, dateText(order.created_at))
    )
  );
}

/** What was passed on to the buyer: a card for each order that it is of. */
function heldCards(held) {
  if (!held.length) return null;
  return [h('h2', {}, 'Passed on to you'), h('ul', { class: 'events held' }, held.map(heldCard))];
}

function heldCard({ order, event_name: name, good, event_cancelled: cancelled, transfer }) {
  const own = transfer.tickets.filter(({ state }) => ['good', 'offered'].includes(state));
  const passed = !own.length && transfer.tickets.some(({ state }) => state === 'passed-on');
  const [word, kind] = (cancelled && ['Event cancelled', 'closed']) ||
    (passed && ['Passed on', 'closed']) ||
    (good && own.length && ['Tickets', 'on-sale']) || ['Void', 'closed'];
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'card event', href: links.held(order) },
      h('span', { class: `badge badge-${kind}` }, word),
      h('strong', { class: 'event-name' }, name || 'Ticket'),
      h(
        'span',
        {},
        (own.length ? own : transfer.tickets).map(({ label }, i) => [i ? ', ' : '', h('bdi', {}, label)])
      )
    )
  );
}

/** The button that brings older orders, in their place. */
function older(list, after, signal) {
  const words = h('span', { role: 'status' });
  const button = h('button', {}, 'Older orders');
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
      show(words, AGAIN + explain(error));
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
  const title = 'My orders';
  if (!page.orders.length && !held.length) {
    const events = h('a', { class: 'button primary', href: links.events }, 'All events');
    const none = h(
      'p',
      {},
      'You have not ordered anything with this sign-in. An order shows here moments after it is made.'
    );
    const ways = h('div', { class: 'buttons' }, events);
    showPage(title, h('h1', {}, title), h('div', { class: 'card' }, none, ways, findLine()));
    return;
  }
  const list = h('ul', { class: 'events' }, page.orders.map(orderCard));
  showPage(
    title,
    h('h1', {}, title),
    heldCards(held),
    held.length > 0 && page.orders.length > 0 && h('h2', {}, 'Bought by you'),
    page.orders.length > 0 && list,
    page.after && older(list, page.after, signal),
    findLine()
  );
}
