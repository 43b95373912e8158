// Events and venue geometry, each loaded once a visit.

import { get, paths } from './api.js';

const kept = new Map();

function once(key, load) {
  if (!kept.has(key))
    kept.set(
      key,
      load().catch((error) => {
        kept.delete(key);
        throw error;
      })
    );
  return kept.get(key);
}

export const loadEvents = async (signal) => (await get(paths.events, { retry: true, signal })).events;

/** The event as now; its states change, so it is asked anew. */
export const loadEvent = (event, signal) => get(paths.event(event), { retry: true, signal });

export const loadVenue = (event) => once('v' + event.layout, () => get(paths.venue(event.layout), { retry: true }));

/** One section with `all`: its seats in layout order, each with its row and names. */
export const loadSection = (event, section) =>
  once(`s${event.layout}/${section}`, async () => {
    const layout = await get(paths.section(event.layout, section), { retry: true });
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
            index: all.length
          });
        }
      }
    }
    return { ...layout, all, byId: new Map(all.map((seat) => [seat.id, seat])) };
  });

export const tiersOf = (event) => new Map(event.tiers.map((tier) => [tier.id, tier]));

/** 'Row C, seat 12', or 'Table 4 for 6'. */
export function seatName(seat) {
  if (!seat.unit) return `Row ${seat.row}, seat ${seat.number}`;
  return `${seat.unit === 'box' ? 'Box' : 'Table'} ${seat.number} for ${seat.capacity}`;
}

/** How many places one has: a table is sold whole. */
export const placesOf = (seat) => seat.capacity ?? 1;

/** 'Section 104 · Row C, seat 12', from the layout when it loads, else from the ids. */
export async function seatLabel(event, venue, sectionId, seatId) {
  const name = venue.sections.find((section) => section.id === sectionId)?.name || sectionId;
  try {
    const seat = (await loadSection(event, sectionId)).byId.get(seatId);
    if (seat) return `${placeName(name)} · ${seatName(seat)}`;
  } catch {
    /* the ids say it too */
  }
  return `${placeName(name)} · ${seatId}`;
}

/** A bare number is a section's name only with the word before it. */
export const placeName = (name) => (/^[\w]{1,4}$/.test(name) ? `Section ${name}` : name);
