// The server's time as this device can best know it: the device's clock may be wrong.

let offsetMs = 0;

/** `now` in epoch seconds, as answers of the edge carry it. */
export function heardNow(now) {
  if (Number.isFinite(now)) offsetMs = now * 1000 - Date.now();
}

/** The Date header, whole seconds; used until an exact `now` was heard. */
export function heardDate(header) {
  const ms = Date.parse(header || '');
  // A second of rounding and some of caching is no reason to distrust the device.
  if (Number.isFinite(ms) && Math.abs(ms - Date.now() - offsetMs) > 90000) offsetMs = ms - Date.now();
}

export const nowMs = () => Date.now() + offsetMs;

/** Seconds from now until an RFC 3339 time or epoch seconds; negative when past. */
export function secondsUntil(when) {
  const ms = typeof when === 'number' ? when * 1000 : Date.parse(when);
  return (ms - nowMs()) / 1000;
}
