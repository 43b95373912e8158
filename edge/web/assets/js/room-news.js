// What waiting buyers should know of the sale: few places are left, none is free, it is sold out or paused.

import { get } from './api.js';
import { loadEvent } from './catalog.js';
import { secondsUntil } from './clock.js';
import { nap } from './dom.js';
import { getAvailability } from './operations.js';
import { organiserWord } from './organiser-word.js';
import { failedPauseMs, STATE_MS, statePauseMs } from './pace.js';
import { isOver } from './parts.js';
import { saleEndText } from './sale-end.js';
import { say } from './words.js';

const FEW_SHARE = 0.05; // of all places: as many as admitted buyers may well hold at one time

/** Adds up an event's counts: {left, total}. */
export function sumOf({ sections = {}, areas = {} }) {
  const places = [...Object.values(sections), ...Object.values(areas)];
  const sum = (of) => places.reduce((total, place) => total + (of(place) || 0), 0);
  return { left: sum((place) => place.available), total: sum((place) => place.total ?? place.capacity) };
}

/** Returns a waiting buyer's news of a sale, of its free places (null: not known) and of the estimated wait. */
export function newsTexts(event, sum, estimate) {
  const word = organiserWord(event, 'waiting');
  const rest = event.state === 'paused' ? [say('news-paused')] : [placesText(sum), saleEndText(event, estimate)];
  return [word, ...rest].filter(Boolean);
}

function placesText(sum) {
  if (!sum?.total) return '';
  if (!sum.left) return say('news-none-free');
  if (sum.left > FEW_SHARE * sum.total) return '';
  return say('news-few-left', { count: sum.left });
}

/** Reads what is free, once the sale has started. */
async function readCounts(event, signal) {
  if (secondsUntil(event.sale_starts_at) > 0) return null;
  return get(getAvailability(event.event), { signal, cache: 'no-cache' });
}

/**
 * Reads the sale every 15 to 21 s, at each second time what is free as well, and tells `show` what is new of it and
 * `counted` the counts; a hidden page rests. Ends with the event when the sale is over. Both answers are the caches'
 * for all who wait.
 */
export async function followSale(id, { show, counted, estimate, signal }) {
  let failures = 0;
  let looks = 0;
  let sum = null;
  while (!signal.aborted) {
    await nap(failures ? failedPauseMs(failures, STATE_MS) : statePauseMs(), signal);
    if (signal.aborted || document.visibilityState !== 'visible') continue;
    try {
      const event = await loadEvent(id, signal, { retry: false });
      if (isOver(event)) return event;
      if (looks++ % 2 === 0) {
        const counts = await readCounts(event, signal);
        sum = counts && sumOf(counts);
        if (counts) counted(counts).catch(() => {}); // at a later look
      }
      show(newsTexts(event, sum, estimate()));
      failures = 0;
    } catch {
      failures++; // a later look finds it; until then the gate's own answers are shown
    }
  }
  throw new DOMException('left', 'AbortError');
}
