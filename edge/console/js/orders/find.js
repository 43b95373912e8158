// What a search for orders asks the service, and what it looks for in the orders that are read.

const ORDER = /^ord_[0-9a-f]{32}_[0-9a-f]{8}$/;
const PARTS = /[^\p{L}\p{N}@._-]+/u;
const SHORT = 3; // letters: a shorter word has to be whole

const wordsOf = (text) => text.toLowerCase().split(PARTS).filter(Boolean);

/** Returns {order} of a whole number, {email} of a mail address, or {words} that are looked for in what is read. */
export function planOf(text) {
  const typed = text.trim();
  if (ORDER.test(typed)) return { order: typed };
  return typed.includes('@') ? { email: typed } : { words: wordsOf(typed) };
}

/** Says whether an order has all of the words: "107 e 7" finds "107 · Row E · Seat 7". */
export function hasWords(order, words) {
  if (!words?.length) return true;
  const { units = [], tickets = [], void: gone = [], postal_address: postal } = order;
  const texts = [order.order, order.user, order.email, order.payment, ...tickets, ...gone];
  texts.push(...units.flatMap(({ label, seat, tier }) => [label, seat, tier]), ...Object.values(postal ?? {}));
  const all = texts.filter(Boolean).flatMap(wordsOf);
  return words.every((word) => all.some((one) => (word.length < SHORT ? one === word : one.includes(word))));
}

/** "107 · Row E · Seat 7 and 3 more": what an order is for. */
export function placesOf({ units = [] }) {
  const [first, ...rest] = units;
  if (!first) return '–';
  const places = (unit) => unit.quantity ?? 1;
  const name = places(first) > 1 ? `${places(first)} × ${first.label}` : first.label;
  const more = rest.reduce((sum, unit) => sum + places(unit), 0);
  return more ? `${name} and ${more} more` : name;
}

/** The end of an order's number tells it from the others in a list. */
export const shortOf = (order) => `…${order.slice(-8)}`;

/** The address of an order's page: it has the number, and nothing of the buyer. */
export const addressOf = (event, order) => `#/e/${encodeURIComponent(event)}/orders/${encodeURIComponent(order)}`;
