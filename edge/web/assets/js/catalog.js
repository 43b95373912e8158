// Events and venue geometry, each loaded once a visit.

import { files, get, request } from './api.js';
import { localised } from './localised.js';
import { getEvent, listEvents, previewEvent } from './operations.js';
import { language, say, speakAs } from './words.js';

const loading = new Map(); // key → promise, also when it is done

/** Loads something once a visit; a failure is forgotten. */
function once(key, load) {
  if (!loading.has(key)) {
    const forget = (error) => {
      loading.delete(key);
      throw error;
    };
    loading.set(key, load().catch(forget));
  }
  return loading.get(key);
}

const EVENTS_MAX = 5000; // as many as the file has

let fromFile = true; // until it does not come at the beginning

/** Reads the events that are listed: from the file of them all, or where that does not come page by page. */
export async function loadEvents(signal, { retry = true } = {}) {
  const options = { signal, cache: 'no-cache' };
  if (fromFile) {
    try {
      return (await get(files.events, options)).events.map(inReadersLanguage);
    } catch (error) {
      if (signal?.aborted || !retry) throw error;
      fromFile = false;
    }
  }
  const events = [];
  let page = {};
  do {
    page = await get(listEvents(page), { ...options, retry });
    events.push(...page.events.map(inReadersLanguage));
  } while (page.after && events.length < EVENTS_MAX);
  return events;
}

const inReadersLanguage = (event) => localised(event, language());

async function spoken(event, signal) {
  await speakAs(event.language);
  signal?.throwIfAborted();
  return inReadersLanguage(event);
}

/** Reads the event as it is now: its state changes, so nothing of it is remembered, nor by the browser. */
export const loadEvent = async (event, signal, { retry = true } = {}) =>
  spoken(await get(getEvent(event), { retry, signal, cache: 'no-cache' }), signal);

/** Reads a draft by the token of its preview link. */
export const loadPreview = async (event, token, signal) =>
  spoken((await request(previewEvent(event), { body: { token }, retry: true, signal })).data, signal);

export const loadVenue = (event) => once('v' + event.layout, () => get(files.venue(event.layout), { retry: true }));

/** Loads one section with `all`: its seats in layout order, each with its row and names. */
export const loadSection = (event, section) =>
  once(`s${event.layout}/${section}`, async () => {
    const layout = await get(files.section(event.layout, section), { retry: true });
    const all = [];
    for (const block of layout.blocks) {
      for (const row of block.rows) {
        for (const seat of row.seats) {
          all.push({
            ...seat,
            kind: seat.kind || 'standard',
            row: row.name || row.id,
            rowId: row.id,
            block: block.name,
            section,
            index: all.length
          });
        }
      }
    }
    return { ...layout, all, byId: new Map(all.map((seat) => [seat.id, seat])) };
  });

export const tiersOf = (event) => new Map(event.tiers.map((tier) => [tier.id, tier]));

/** Names a seat: 'Row C, seat 12', or 'Table 4 for 6'. */
export function seatName(seat) {
  const { row, number, unit, capacity: count } = seat;
  if (!unit) return say('seat-in-row', { row, number });
  return say(unit === 'box' ? 'seat-box' : 'seat-table', { number, count });
}

/** Counts the places of a seat: a table is sold whole. */
export const placesOf = (seat) => seat.capacity ?? 1;

/** Names a seat in its section, 'Section 104 · Row C, seat 12', from the ids when no layout comes. */
async function seatLabel(event, venue, sectionId, seatId) {
  const name = venue.sections.find((section) => section.id === sectionId)?.name || sectionId;
  try {
    const seat = (await loadSection(event, sectionId)).byId.get(seatId);
    if (seat) return `${placeName(name)} · ${seatName(seat)}`;
  } catch {
    /* the ids say it too */
  }
  return `${placeName(name)} · ${seatId}`;
}

/** Names a section: a bare number is a name only with the word before it. */
export const placeName = (name) => (/^[\w]{1,4}$/.test(name) ? say('seat-section', { name }) : name);

/** Names what is held: a seat in its section, or a number of places in an area. */
export async function unitLabel(event, venue, unit) {
  if (unit.kind !== 'area') return seatLabel(event, venue, unit.section, unit.seat);
  const area = (venue.areas || []).find((a) => a.id === unit.area);
  return `${unit.quantity} × ${area?.name || unit.area}`;
}
