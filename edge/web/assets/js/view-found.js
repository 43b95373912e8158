// What a mailed link opens: the orders of a mail address, and their tickets. It shows, and changes nothing.

import { request } from './api.js';
import { h, notice, show } from './dom.js';
import { fileButtons } from './files.js';
import { dateText, listText, placeText } from './format.js';
import { placeLabel } from './labels.js';
import { links } from './links.js';
import { openTicketLink } from './operations.js';
import { orderWords, stateWord } from './order-words.js';
import { showCard, showPage } from './page.js';
import { tab } from './store.js';
import { mailed, showThem, TicketGallery, ticketsFile } from './ticket.js';
import { say } from './words.js';

const KEPT = 'found'; // the token, so that the page survives a reload

/** Shows an order's tickets when they are asked for, and saves them as a PDF. */
function ticketBox(order, token, signal, opened) {
  const ask = mailed(token);
  const tickets = h('div', { tabindex: -1 });
  const look = h('button', { class: 'primary' }, say('found-show', { count: order.tickets }));
  const unfold = () => {
    look.remove();
    const gallery = new TicketGallery(order.order, signal, { ask });
    gallery.update(order.tickets, order.ticket_labels);
    show(tickets, showThem(order.tickets), gallery.element);
  };
  look.addEventListener('click', () => {
    unfold();
    tickets.focus({ preventScroll: true }); // the button is gone
  });
  const box = h('div', {}, tickets, fileButtons([look, ticketsFile(order.order, ask)], signal));
  if (opened) unfold();
  return box;
}

const listed = (places) => listText(places.map(placeLabel));

function orderCard(order, token, signal, opened) {
  const [word, kind] = stateWord(order);
  const { notices } = orderWords({ ...order, refund: null }, 0);
  const passed = order.passed.length ? say('found-passed', { places: listed(order.passed) }) : '';
  const returned = order.returned.length ? say('found-returned', { places: listed(order.returned) }) : '';
  return h(
    'li',
    { class: 'card' },
    h('span', { class: `badge badge-${kind}` }, word),
    h('h2', {}, h('bdi', {}, order.event_name || say('order-heading'))),
    order.starts_at && h('p', { class: 'dim' }, dateText(order.starts_at, order.time_zone)),
    h('p', { class: 'dim' }, h('bdi', {}, placeText(order))),
    notices.map(([kind, text]) => notice(kind, text)),
    order.passed.length < order.places.length &&
      h(
        'ul',
        { class: 'places' },
        order.places.map((place) => h('li', {}, placeLabel(place)))
      ),
    passed && h('p', { class: 'dim' }, passed),
    returned && h('p', { class: 'dim' }, returned),
    order.tickets ? ticketBox(order, token, signal, opened) : null,
    h('p', { class: 'dim small' }, say('found-ordered', { date: dateText(order.created_at), order: order.order }))
  );
}

function showEnded() {
  const title = say('found-ended');
  showCard(
    title,
    title,
    h('p', {}, say('found-ended-text')),
    h('div', { class: 'buttons' }, h('a', { class: 'button primary', href: links.find }, say('found-ask-new')))
  );
}

/** Opens the orders of the token in the address, and removes it from the address. */
export async function open(signal, inAddress) {
  if (inAddress) {
    tab.set(KEPT, inAddress);
    history.replaceState(null, '', links.found);
  }
  const token = inAddress || tab.get(KEPT);
  if (!token) {
    location.replace(links.find);
    return;
  }
  let found;
  try {
    found = (await request(openTicketLink(), { body: { token }, retry: true, signal })).data;
  } catch (error) {
    if (error.code !== 'link-ended' && error.code !== 'malformed-input') throw error;
    tab.set(KEPT, null);
    showEnded();
    return;
  }
  const withTickets = found.orders.filter((order) => order.tickets).length;
  const cards = found.orders.map((order) => orderCard(order, token, signal, withTickets === 1));
  showPage(
    say('found-title'),
    h('h1', {}, say('found-title')),
    h('p', { class: 'dim' }, say('found-bought', { date: dateText(found.until) })),
    cards.length ? h('ul', { class: 'events found' }, cards) : notice('info', say('found-nothing')),
    found.older && h('p', {}, say('found-older'))
  );
}
