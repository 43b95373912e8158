// What the map needs to know of a venue: its files, and what its seats are now.

import { files, get } from '../../../web/assets/js/api.js';
import { loadSection, loadVenue } from '../../../web/assets/js/catalog.js';
import { loadBackground, loadPictures } from '../../../web/assets/js/map/pictures.js';
import { unpackStatuses } from '../../../web/assets/js/map/scene.js';
import { readVector } from '../../../web/assets/js/map/statuses.js';
import { getAvailability } from '../../../web/assets/js/operations.js';
import { readyWords } from '../../../web/assets/js/words.js';

/** Loads a venue, and what the map says. */
export async function readVenue(layout) {
  const words = Promise.all([readyWords('first'), readyWords('map')]);
  const venue = await loadVenue({ layout });
  await words;
  return { ...venue, layout };
}

/** Loads a published venue as "venue validate" draws a chart, without the numbers of its seats. */
export async function readDrawing(layout) {
  const venue = await readVenue(layout);
  const below = venue.picture && get(files.picture(layout)).catch(() => null); // the map does without it
  return { venue, seats: { sections: await readSeats(venue) }, picture: await below };
}

/** Loads where all seats are. */
export const readSeats = (venue) => loadPictures(venue, venue);

export const readPicture = (venue) => loadBackground(venue, AbortSignal.timeout(20000));

/** Loads a section with all that is known of its seats. */
export const readSection = (venue, id) => loadSection(venue, id);

/** Reads what each seat is now: its codes in layout order. */
export async function readCodes(event, venue) {
  const bytes = await readVector(event, AbortSignal.timeout(20000));
  let to = 0;
  const sections = venue.sections.map(({ seats }) => ({ from: to, to: (to += seats) }));
  const codes = new Uint8Array(to);
  unpackStatuses(sections, bytes).forEach((some, n) => codes.set(some, sections[n].from));
  return codes;
}

/** Reads how many places sections and areas have left. */
export const readCounts = (event) => get(getAvailability(event), { cache: 'no-cache' });

const AT_ONCE = 6;

/** Finds seats by their ids: returns their numbers in layout order. It reads sections until all are found. */
export async function findSeats(venue, ids) {
  const wanted = new Set(ids);
  const found = [];
  let from = 0;
  for (let n = 0; n < venue.sections.length && found.length < wanted.size; n += AT_ONCE) {
    const some = await Promise.all(venue.sections.slice(n, n + AT_ONCE).map(({ id }) => loadSection(venue, id)));
    for (const { all } of some) {
      for (const { id, index } of all) if (wanted.has(id)) found.push(from + index);
      from += all.length;
    }
  }
  return found;
}
