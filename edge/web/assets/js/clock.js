// The server's time as this device can best know it: the device's clock may be wrong.

const DISTRUST_MS = 90000;

let offsetMs = 0;

/** Sets the clock by `nowS`, epoch seconds as answers of the edge carry them. */
export function syncToEpoch(nowS) {
  if (Number.isFinite(nowS)) offsetMs = nowS * 1000 - Date.now();
}

/** Sets the clock by a Date header, in whole seconds, where it is far off. */
export function syncToDateHeader(header) {
  const ms = Date.parse(header || '');
  // A second of rounding and some of caching is no reason to distrust the device.
  if (Number.isFinite(ms) && Math.abs(ms - Date.now() - offsetMs) > DISTRUST_MS) offsetMs = ms - Date.now();
}

export const nowMs = () => Date.now() + offsetMs;

/** Counts the seconds from now until an RFC 3339 time or epoch seconds; negative when past. */
export function secondsUntil(when) {
  const ms = typeof when === 'number' ? when * 1000 : Date.parse(when);
  return (ms - nowMs()) / 1000;
}
