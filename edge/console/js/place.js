// Which screen an address names.

import { computed, signal } from '@preact/signals';

/** The fragment of the address. */
export const route = signal(globalThis.location?.hash ?? '');

/** The event whose screen is shown; '' on the others. */
export const here = computed(() => placeOf(route.value).event ?? '');

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
