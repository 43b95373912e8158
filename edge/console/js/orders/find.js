// What a search for orders asks the service, and how an order is named.

const ORDER = /^ord_[0-9a-f]{32}_[0-9a-f]{8}$/;

/** Returns {order} of a whole number, {email} of a mail address, or {find}: words that the service looks for. */
export function planOf(text) {
  const typed = text.trim();
  if (ORDER.test(typed)) return { order: typed };
  return typed.includes('@') ? { email: typed } : { find: typed };
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
