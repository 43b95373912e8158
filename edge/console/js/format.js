// How figures, times and money are written. Times are those of the reader's clock, with its zone named once.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const NONE = '–'; // not known: never 0

export const count = (value) => (value === null || value === undefined ? NONE : whole.format(value));

/** A figure that may be small: two digits count below ten. */
export const rate = (value) => {
  if (value === null || value === undefined) return NONE;
  return Math.abs(value) < 10 ? fine.format(value) : whole.format(value);
};

export const share = (part, all) => (all ? `${whole.format((100 * part) / all)}%` : NONE);

/** An amount in minor units; `round` leaves them out. */
export function money(minor, currency, { round = false } = {}) {
  if (minor === null || minor === undefined || !currency) return NONE;
  const style = { style: 'currency', currency };
  const digits = new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits;
  const shown = round ? { ...style, maximumFractionDigits: 0 } : style;
  return new Intl.NumberFormat('en', shown).format(minor / 10 ** digits);
}

/** US dollars; `round` leaves cents out of what is more than some. */
export function dollars(value, { round = false } = {}) {
  if (value === null || value === undefined) return NONE;
  return money(value * 100, 'USD', { round: round && value >= 100 });
}

export const at = (text) => (text ? clock.format(new Date(text)) : NONE);
export const on = (text) => (text ? `${day.format(new Date(text))}, ${at(text)}` : NONE);

/** The day 2026-11-28 of a calendar → "28 Nov 2026". */
export const onDay = (text) => day.format(new Date(`${text}T12:00`));

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;
/** A text of the service with its times by the reader's clock. */
export const timed = (text) => text.replace(INSTANT, on);

/** A time by the clocks of an event's zone, which is named with it. */
export function onIn(text, timeZone) {
  if (!text || !timeZone) return on(text);
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone };
  return `${new Intl.DateTimeFormat('en-GB', options).format(new Date(text))} (${timeZone})`;
}

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 4000 → "1 h 7 min". */
export function span(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  const s = Math.round(Math.abs(seconds));
  if (s < 90) return `${s} s`;
  const m = Math.round(s / 60);
  if (m < 90) return `${m} min`;
  const h = Math.floor(m / 60);
  if (h < 48) return m % 60 ? `${h} h ${m % 60} min` : `${h} h`;
  return `${Math.round(h / 24)} days`;
}

export const ageS = (text, now = Date.now()) => (text ? Math.max(0, (now - Date.parse(text)) / 1000) : null);

/** "front-rows" → "Front rows". */
export const titled = (name) => {
  const words = name.replaceAll(/[-_]/g, ' ');
  return words[0].toUpperCase() + words.slice(1);
};
