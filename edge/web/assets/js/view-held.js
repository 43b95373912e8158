// Tickets of an order of somebody else, which were passed on to the one who looks.

import { ApiProblem, get } from './api.js';
import { authToken } from './auth.js';
import { loadEvent } from './catalog.js';
import { h, notice } from './dom.js';
import { dateText, placeText } from './format.js';
import { links } from './links.js';
import { listHeldTickets } from './operations.js';
import { showPage } from './page.js';
import { passBox, passedLines } from './passing.js';
import { ticketGallery } from './ticket.js';

const CANCELLED =
  'The organiser has cancelled this event, and your ticket is no longer valid. ' + 'The money goes back to its buyer.';
const NOT_NOW = 'The ticket is not valid now. Please ask the person who passed it on to you.';

/** What became of tickets that admit nobody, or null. */
function wordsOf({ good, event_cancelled: cancelled, transfer }, own) {
  if (cancelled) return notice('warn', CANCELLED);
  if (!good) return notice('warn', NOT_NOW);
  const void_ = transfer.tickets.filter(({ state }) => state === 'void').map(({ label }) => label);
  if (void_.length) return notice('warn', `Void: ${void_.join(', ')}. Please contact the organiser about it.`);
  return own ? null : notice('info', 'You have passed your ticket on.');
}

export async function open(signal, id) {
  const { orders } = await get(listHeldTickets(), { token: authToken(), retry: true, signal });
  const held = orders.find(({ order }) => order === id);
  if (!held) throw new ApiProblem(404, { code: 'not-found' }, null);
  const event = await loadEvent(held.event, signal).catch(() => null);
  const own = held.transfer.tickets.filter(({ state }) => ['good', 'offered'].includes(state)).length;
  const title = own === 1 ? 'Your ticket' : 'Your tickets';
  const line = (text) => text && h('p', { class: 'dim narrow-line' }, text);
  const about = event && [
    line(event.name),
    line(event.starts_at && dateText(event.starts_at, event.time_zone)),
    line(placeText(event))
  ];
  const body = [h('h1', {}, title), wordsOf(held, own)];
  if (held.good && own) {
    body.push(
      h('p', {}, `Show ${own === 1 ? 'this code' : 'these codes'} at the door, on the screen or on paper.`),
      ticketGallery({ order: id, tickets: own }, authToken(), signal)
    );
  }
  body.push(passedLines(held.transfer));
  if (held.good) body.push(passBox(id, held.transfer, event?.time_zone, signal));
  body.push(h('a', { class: 'button', href: links.orders }, 'My orders'));
  showPage(title, about, h('section', { class: 'card narrow' }, body));
}
