// The end of a sale, for those who may come too late.

import { secondsUntil } from './clock.js';
import { dateText } from './format.js';
import { say } from './words.js';

const END_SOON_S = 3600;

/** Returns what a buyer should know of the sale's end: it is near, or the wait may be longer; '' if neither. */
export function saleEndText(event, estimate) {
  if (!event.sale_ends_at) return '';
  const left = secondsUntil(event.sale_ends_at);
  const late = estimate && (estimate.hi_s ?? estimate.lo_s) > left;
  if (!late && left > END_SOON_S) return '';
  const date = dateText(event.sale_ends_at, event.time_zone);
  return say(late ? 'news-sale-ends-late' : 'news-sale-ends', { date });
}
