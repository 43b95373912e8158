// The server's time as this device can best know it: the device's clock may be wrong.

const DISTRUST_MS = 90000;

let offsetMs = 0;

/** Sets the clock by `nowS`, epoch seconds as answers of the edge carry them. */
export function syncToEpoch(nowS) {
  if (Number.isFinite(nowS)) offsetMs = nowS * 1000 - Date.now();
}

/**
 * Sets the clock by the Date header of an answer, in whole seconds, where it is far off.
 * One that a cache may have kept was made when its Date says, however long ago: it never sets the clock back.
 */
export function syncToHeaders(headers) {
  const ms = Date.parse(headers.get('date') || '');
  // A second of rounding is no reason to distrust the device.
  if (!Number.isFinite(ms) || Math.abs(ms - nowMs()) <= DISTRUST_MS) return;
  const uncached = /\bno-store\b/.test(headers.get('cache-control') || '');
  if (uncached || ms > nowMs()) offsetMs = ms - Date.now();
}

export const nowMs = () => Date.now() + offsetMs;

/** Counts the seconds from now until an RFC 3339 time or epoch seconds; negative when past. */
export function secondsUntil(when) {
  const ms = typeof when === 'number' ? when * 1000 : Date.parse(when);
  return (ms - nowMs()) / 1000;
}
