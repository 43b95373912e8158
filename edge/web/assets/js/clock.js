// The server's time as this device can best know it: the device's clock may be wrong, and may be set right
// while the page is open.

const DISTRUST_MS = 15000; // an answer may be 12 s on its way (api.js), and its Date is a second's

let offsetMs = 0;
let learnt = null; // {ms, ticksMs}: the time that a server told, and what had then passed since the page began

function setTo(ms) {
  offsetMs = ms - Date.now();
  learnt = { ms, ticksMs: performance.now() };
}

/** Sets the clock by `nowS`, epoch seconds as answers of the edge carry them. */
export function syncToEpoch(nowS) {
  if (Number.isFinite(nowS)) setTo(nowS * 1000);
}

/**
 * Sets the clock by the Date header of an answer, in whole seconds, where it is far off.
 * One that a cache may have kept was made when its Date says, however long ago: it never sets the clock back.
 */
export function syncToHeaders(headers) {
  const ms = Date.parse(headers.get('date') || '');
  if (!Number.isFinite(ms) || Math.abs(ms - nowMs()) <= DISTRUST_MS) return;
  const uncached = /\bno-store\b/.test(headers.get('cache-control') || '');
  if (uncached || ms > nowMs()) setTo(ms);
}

/**
 * Returns the time in milliseconds. A device's clock that is set back does not set it back: a page would sleep
 * through its moment of admission. A clock that goes ahead may have slept, so it is believed until a server answers.
 */
export function nowMs() {
  const ms = Date.now() + offsetMs;
  return learnt === null ? ms : Math.max(ms, learnt.ms + performance.now() - learnt.ticksMs);
}

/** Counts the seconds from now until an RFC 3339 time or epoch seconds; negative when past. */
export function secondsUntil(when) {
  const ms = typeof when === 'number' ? when * 1000 : Date.parse(when);
  return (ms - nowMs()) / 1000;
}
