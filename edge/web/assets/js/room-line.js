// The line of the waiting room: when the buyer came, where they are now, and when their turn is likely.

import { h } from './dom.js';
import { timeText } from './format.js';

const APART = 0.16; // of the line: nearer to each other than that, two times would overlap
const OPEN = 1.5; // a window without an end is drawn up to this multiple of its beginning

/**
 * Returns where on the line things are, from 0 to 1, and the times to write below it; null without an estimate.
 * `madeMs`: when the estimate was made, from which its seconds count.
 */
export function lineOf({ joined_ms: cameMs, estimate }, madeMs, nowMs) {
  if (!estimate) return null;
  const { lo_s: lo, hi_s: hi } = estimate;
  const endMs = Math.max(nowMs, madeMs + (hi ?? lo * OPEN) * 1000);
  const shareOf = (ms) => (endMs > cameMs ? Math.min(1, Math.max(0, (ms - cameMs) / (endMs - cameMs))) : 1);
  const now = shareOf(nowMs);
  const from = Math.max(now, shareOf(madeMs + lo * 1000));
  const marks = [{ at: now, ms: nowMs, kind: 'at' }];
  if (now > APART) marks.push({ at: 0, ms: cameMs, kind: 'first' });
  if (from - now > APART && 1 - from > APART) marks.push({ at: from, ms: madeMs + lo * 1000, kind: '' });
  if (hi && 1 - now > APART) marks.push({ at: 1, ms: endMs, kind: 'last' });
  return { now, from, marks };
}

function placed(element, from, to) {
  element.style.setProperty('--from', `${(from * 100).toFixed(1)}%`);
  if (to !== undefined) element.style.setProperty('--to', `${(to * 100).toFixed(1)}%`);
  return element;
}

/** Draws what `lineOf` returns. The facts beside it say the same in words, so screen readers skip it. */
export function roomLine({ now, from, marks }) {
  const part = (kind, start, end) => placed(h('i', { class: kind }), start, end);
  const time = ({ at, ms, kind }) =>
    placed(h('span', { class: kind === 'at' && at < APART / 2 ? 'at first' : kind || null }, timeText(ms)), at);
  return h(
    'div',
    { class: 'room-line', 'aria-hidden': 'true' },
    [part('whole', 0, 1), part('passed', 0, now), part('window', from, 1), part('now', now)],
    marks.map(time)
  );
}
