// Labels of places and fees, which an order keeps in English, in the words of the page. Pure: the tests run it in Node.

import { dir, say } from './words.js';

// As service/holds/seat_index.py writes them, and domain/orders/fees.py.
const SEAT = /^(.+) · Row (.+) · Seat (.+)$/s;
const WHOLE = /^(.+) · (.+) · (Table|Box) (.+)$/s;
const FEES = { 'Fee per order': 'checkout-fee-order', 'Fee per ticket': 'checkout-fee-ticket' };

/** Returns the name, isolated in texts from right to left, so that it keeps its own direction. */
const isolated = (name) => (dir() === 'rtl' ? `\u2068${name}\u2069` : name);

/** Returns a place's label with the words for row and seat, as mails have it; names stay as they are. */
export function placeLabel(label) {
  const seat = SEAT.exec(label);
  if (seat) return say('place-seat', { section: seat[1], row: seat[2], number: seat[3] });
  const whole = WHOLE.exec(label);
  if (!whole) return isolated(label);
  const [, section, row, unit, number] = whole;
  return say(unit === 'Box' ? 'place-box' : 'place-table', { section, row, number });
}

/** Names a line of an order with its number, unless the label begins with it. */
export function lineLabel({ kind, quantity, label }) {
  if (kind === 'fee' && FEES[label]) return say(FEES[label], { count: quantity });
  const name = isolated(label);
  return quantity > 1 && !String(label).startsWith(String(quantity)) ? `${quantity} × ${name}` : name;
}
