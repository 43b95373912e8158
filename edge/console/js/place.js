// Which screen an address names.

/** "#/e/gala/live" → {event: "gala", tab: "live"}; "#/orders" → {page: "orders"}; what follows is `rest`. */
export function placeOf(hash) {
  const parts = hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  if (parts[0] === 'e' && parts[1]) return { event: parts[1], tab: parts[2] ?? 'live', rest: parts.slice(3) };
  return { page: parts[0] ?? 'events', rest: parts.slice(1) };
}
