// Finding events in the list of all: by words, city, kind and date, a page at a time. Pure: the tests run it in Node.

export const PAGE_EVENTS = 24;
export const TEXT_CHARS_MAX = 80; // a link may name more, whose search would take minutes

const formats = new Map(); // time zone → how a day is written there

/** Writes a moment's day by the clocks of `timeZone`: '2027-06-01'. */
function dayOf(rfc3339, timeZone) {
  if (!formats.has(timeZone)) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' };
    let format;
    try {
      format = new Intl.DateTimeFormat('en-CA', { ...parts, timeZone: timeZone || undefined });
    } catch {
      format = new Intl.DateTimeFormat('en-CA', parts); // a zone that this browser does not know
    }
    formats.set(timeZone, format);
  }
  return formats.get(timeZone).format(new Date(rfc3339));
}

const PLAIN = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' }; // letters that Unicode does not split

/** Writes text as it is compared: without case and accents, and no matter how wide. */
const folded = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => PLAIN[letter]);

/**
 * Takes the city from an address: '1 Hall Street, 1010 Vienna, Austria' → 'Vienna'. It stands after the street, in the
 * part with the post code where there is one.
 */
export function cityOf(address) {
  const parts = (address || '').split(/[,\n]/).slice(1);
  const names = parts.map((part) =>
    part
      .split(/\s+/)
      .filter((word) => word && !/\d/.test(word))
      .join(' ')
  );
  const coded = Math.max(
    0,
    parts.findIndex((part) => /\b\d{4,6}\b/.test(part))
  );
  const state = coded > 0 && /^[A-Z]{2}$/.test(names[coded]); // 'St. Louis, MO 63101'
  return names[state ? coded - 1 : coded] || '';
}

const dateOf = (event) => event.starts_at || event.sale_ends_at;

const isPast = (event, nowMs) => (dateOf(event) ? Date.parse(dateOf(event)) < nowMs : event.state === 'closed');

const wordsOf = (event) => [
  ...[event.name, event.subtitle, event.artist, event.venue, event.venue_address],
  ...[event.own || {}, ...Object.values(event.translations || {})].flatMap(({ name, subtitle }) => [name, subtitle])
];

/** Makes the index of a list of events: what they are found by, in the order of their dates. */
export function indexOf(events) {
  const index = events.map((event) => ({
    event,
    words: folded(wordsOf(event).filter(Boolean).join(' ')),
    city: cityOf(event.venue_address),
    day: dateOf(event) ? dayOf(dateOf(event), event.time_zone) : ''
  }));
  const at = ({ event }) => dateOf(event) || event.sale_starts_at;
  return index.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
}

/** Lists the cities and kinds of an index, each once. */
export function choicesOf(index) {
  const each = (values) => [...new Set(values.filter(Boolean))].sort((a, b) => a.localeCompare(b));
  return { city: each(index.map(({ city }) => city)), category: each(index.map(({ event }) => event.category)) };
}

/**
 * Finds events: `wanted` has text, city, category, from and to (days), past and page, each perhaps ''. Returns the
 * events of the page, its number from 1, and how many pages and events there are. Every word has to occur. Events of
 * the past are apart, the latest first.
 */
export function find(index, wanted, nowMs) {
  const words = folded((wanted.text || '').slice(0, TEXT_CHARS_MAX))
    .split(/\s+/)
    .filter(Boolean);
  const found = index.filter(
    (one) =>
      isPast(one.event, nowMs) === Boolean(wanted.past) &&
      (!wanted.city || one.city === wanted.city) &&
      (!wanted.category || one.event.category === wanted.category) &&
      (!wanted.from || one.day >= wanted.from) &&
      (!wanted.to || (one.day && one.day <= wanted.to)) &&
      words.every((word) => one.words.includes(word))
  );
  if (wanted.past) found.reverse();
  const pages = Math.max(1, Math.ceil(found.length / PAGE_EVENTS));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(wanted.page)) || 1));
  const events = found.slice((page - 1) * PAGE_EVENTS, page * PAGE_EVENTS).map(({ event }) => event);
  return { events, page, pages, count: found.length };
}
