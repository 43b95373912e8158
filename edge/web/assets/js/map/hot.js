// Which place has lost many seats in the last minute, by the counts that the page reads anyway.

const WINDOW_MS = 60_000;
const STEP_MS = 2_000; // counts that come faster are one
const LEAST = 12; // seats that are many
const SHARE = 0.1; // … of those that were left
const AGAIN_MS = 300_000; // until the same place is named again

export class HotPlaces {
  constructor() {
    this.seen = new Map(); // id → [time, left] of the last minute, oldest first
    this.named = new Map(); // id → when
  }

  /**
   * Takes over counts; returns the id of the place that lost most in the last minute, '' where none lost many or it
   * was named lately. With `open`, the place that one looks at, only that; `quiet` names none.
   */
  see({ sections = {}, areas = {} }, now, { open = '', quiet = false } = {}) {
    let hottest = '';
    let most = 0;
    for (const [id, { available }] of Object.entries({ ...sections, ...areas })) {
      const lost = this.lost(id, available, now);
      if (lost <= most || (open && id !== open)) continue;
      most = lost;
      hottest = id;
    }
    if (quiet || !hottest || now - (this.named.get(hottest) ?? -Infinity) < AGAIN_MS) return '';
    this.named.set(hottest, now);
    return hottest;
  }

  /** How many a place lost in the last minute; 0 where they are not many, or nothing is left. */
  lost(id, left, now) {
    const before = (this.seen.get(id) || []).filter(([when]) => now - when <= WINDOW_MS);
    if (!before.length || now - before[before.length - 1][0] >= STEP_MS) before.push([now, left]);
    this.seen.set(id, before);
    const had = before[0][1];
    return left > 0 && had - left >= Math.max(LEAST, had * SHARE) ? had - left : 0;
  }
}
