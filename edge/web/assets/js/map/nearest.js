// The nearest free seats instead of one that another buyer took.

import { KINDS } from './scene.js';

const OTHER_ROW = 2; // a seat in another row is as good as one of the same row this many times as far
const AISLE = 1.8; // spacings between two seats that are no neighbours any more

/**
 * Returns `count` seats side by side in the section of the seat `lost`, nearest to it, of its kind, and of its price
 * where there are such; [] where there are none. `mayBe(i)` says which can be had.
 */
export function nearestFree(scene, lost, count, mayBe) {
  const section = scene.sections[scene.section[lost]];
  const kindOf = (i) => scene.marks[i] & KINDS;
  const fits = (i) => i !== lost && kindOf(i) === kindOf(lost) && mayBe(i);
  let best = [];
  let least = [Infinity, Infinity];
  for (const row of section.rows) {
    const weight = row.number === scene.row[lost] ? 1 : OTHER_ROW;
    let from = row.from; // of the free seats side by side that end at `i`
    for (let i = row.from; i < row.to; i++) {
      if (!fits(i)) {
        from = i + 1;
        continue;
      }
      if (i > from && scene.away(i, i - 1) > section.pitch * AISLE) from = i;
      if (i - from + 1 < count) continue;
      const seats = Array.from({ length: count }, (_, n) => i - n);
      const others = seats.filter((seat) => scene.tier[seat] !== scene.tier[lost]).length;
      const away = seats.reduce((sum, seat) => sum + weight * scene.away(seat, lost), 0);
      if (others < least[0] || (others === least[0] && away < least[1])) {
        least = [others, away];
        best = seats.reverse();
      }
    }
  }
  return best;
}
