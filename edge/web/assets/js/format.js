// Money, times and waits in words. Pure: the tests run it in Node.

import { locale, say } from './words.js';

// Currencies whose minor unit is not a hundredth, as mails and the command have them (amount_text.py): by what is
// charged, and not by the browser's tables, which are about rounding and change.
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

function digitsOf(currency) {
  if (NO_DIGITS.includes(currency)) return 0;
  return THREE_DIGITS.includes(currency) ? 3 : 2;
}

/** Writes an amount in minor units: 12050, 'EUR' → '€120.50'; 12000 → '€120'. */
export function money(minor, currency) {
  const digits = digitsOf(currency);
  const scale = 10 ** digits;
  const shown = { minimumFractionDigits: minor % scale === 0 ? 0 : digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale(), { style: 'currency', currency, ...shown }).format(minor / scale);
}

/** Writes seconds as a clock: 65 → '1:05', 3665 → '1:01:05'. Never negative. */
export function clockText(seconds) {
  const s = Math.max(0, Math.ceil(seconds));
  const two = (n) => String(n).padStart(2, '0');
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}

/** Splits seconds into [number, unit] of days, hours, minutes and seconds; no days when there are none. */
export function countdownParts(seconds) {
  const s = Math.max(0, Math.ceil(seconds));
  return [
    [Math.floor(s / 86400), 'days'],
    [Math.floor(s / 3600) % 24, 'hours'],
    [Math.floor(s / 60) % 60, 'minutes'],
    [s % 60, 'seconds']
  ].filter(([n, unit], i) => unit !== 'days' || n > 0);
}

function unitOf(seconds) {
  if (seconds > 3600) return [3600, 'hours'];
  if (seconds > 60) return [60, 'minutes'];
  return [1, 'seconds'];
}

// The gate's ladder of waits (ESTIMATE_LADDER_S): its estimate is one step of it.
const STEPS_S = [30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];

/**
 * Puts the gate's estimate into words. It is the wait at the pace of now, and that changes: so the next step is
 * named as well, which nine in ten do not exceed.
 */
export function estimateText(estimate) {
  if (!estimate) return '';
  const { lo_s: lo, hi_s: hi } = estimate;
  if (hi === null || hi === undefined) {
    const [size, unit] = unitOf(lo);
    return say(`estimate-over-${unit}`, { count: Math.round(lo / size) });
  }
  const [size, unit] = unitOf(hi);
  const count = Math.round(hi / size);
  const from = Math.round(lo / size);
  const about = lo === 0 ? say(`estimate-under-${unit}`, { count }) : say(`estimate-about-${unit}`, { from, count });
  const next = STEPS_S.find((step) => step > hi);
  if (!next) return about;
  const [nextSize, nextUnit] = unitOf(next);
  return say(`estimate-rarely-${nextUnit}`, { about, count: Math.round(next / nextSize) });
}

/** Writes a length of time: 600 → '10 minutes', 90 → '90 seconds', 450 → '7.5 minutes'. */
export function durationText(seconds) {
  const [size, unit] = seconds % 60 && seconds < 120 ? [1, 'second'] : [60, 'minute'];
  const written = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 };
  return new Intl.NumberFormat(locale(), written).format(seconds / size);
}

/** Says how long until something, in words that need not change every second. */
export function soonText(seconds) {
  if (seconds <= 3) return say('soon-moment');
  if (seconds < 90) return say('soon-seconds', { count: Math.ceil(seconds) });
  return say('soon-minutes', { count: Math.round(seconds / 60) });
}

/**
 * Writes a moment with its zone's name: by the clocks of `timeZone`, the event's; by the reader's without one, and
 * where this browser does not know it.
 */
export function dateText(rfc3339, timeZone) {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
  const when = { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };
  const date = new Date(rfc3339);
  try {
    return date.toLocaleString(locale(), { ...when, timeZone: timeZone || undefined });
  } catch {
    return date.toLocaleString(locale(), when);
  }
}

/** Does for the first time what then takes a slow phone 50 ms each: at a moment when it has time. */
export function warmUp() {
  dateText(0);
  money(0, 'EUR');
  new Intl.PluralRules(locale()).select(0);
}

/** Writes where it is: 'Harbour Hall, Quay 1'; the parts that are said. */
export const placeText = (event) => [event.venue, event.venue_address].filter(Boolean).join(', ');

/** Writes a moment's time of day where the reader is: '20:05'. */
export const timeText = (rfc3339) =>
  new Date(rfc3339).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });

/** Joins names as a sentence does: 'A', 'A and B', 'A, B and C'. */
export const listText = (items) => new Intl.ListFormat(locale()).format(items);
