// What others leave free: all seats at once, seldom (status.bin), and the section that one looks at, as it changes.

import { get } from '../api.js';
import { nap } from '../dom.js';
import { follow } from '../live.js';
import { getChanges, getSectionSeats, getStatusVector } from '../operations.js';
import { unpackStatuses } from './scene.js';

const AGAIN_MS = 15000; // between two reads of all seats, however fast a sale is
const RETRY_MS = 5000;

/** Reads status.bin. */
export async function readVector(event, signal) {
  const blob = await get(getStatusVector(event), { signal, cache: 'no-cache' });
  return new Uint8Array(await blob.arrayBuffer());
}

export class Statuses {
  /** `changed` is called after others took or gave back seats; `stale` when the section's news stay away. */
  constructor(event, scene, { signal, changed, stale }) {
    Object.assign(this, { event, scene, signal, changed, stale });
    this.followed = '';
    this.ends = new AbortController();
    this.readAt = -Infinity;
    this.reading = null;
  }

  /** Reads all seats; one read at a time. */
  readAll() {
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  async read() {
    const wait = this.readAt + AGAIN_MS - performance.now();
    if (wait > 0) await nap(wait, this.signal);
    while (!this.signal.aborted) {
      const bytes = await readVector(this.event, this.signal).catch(() => null);
      if (bytes) return this.takeOver(bytes);
      await nap(RETRY_MS, this.signal); // the picture is worth looking at without it
    }
    return undefined;
  }

  /** Shows what status.bin says. */
  takeOver(bytes) {
    this.readAt = performance.now();
    const codes = unpackStatuses(this.scene.sections, bytes);
    let news = false;
    for (const section of this.scene.sections) {
      if (section.id === this.followed) continue; // its own news are newer
      news = this.scene.change(section, codes[section.number].entries()) || news;
    }
    if (news) this.changed();
  }

  /** Reads all seats again where the counts of sections tell that seats have changed. */
  compare(counts) {
    const known = (section) => this.scene.offers(section, true).reduce((sum, band) => sum + band.free, 0);
    const others = this.scene.sections.some((section) => {
      const left = counts.sections?.[section.id]?.available;
      return section.id !== this.followed && left !== undefined && left !== known(section);
    });
    if (others && document.visibilityState === 'visible') this.readAll();
  }

  /** Follows the changes of one section, in place of the last one; '' follows none. */
  follow(id) {
    if (id === this.followed) return;
    this.ends.abort();
    this.ends = new AbortController();
    this.followed = id;
    const section = this.scene.byId.get(id);
    if (!section) return;
    const { signal } = this.ends;
    this.signal.addEventListener('abort', () => this.ends.abort(), { signal });
    const read = async () => {
      const seats = await get(getSectionSeats(this.event, id), { signal, cache: 'no-cache' });
      this.show(section, [...seats.statuses].map(Number).entries(), signal);
      return seats.id;
    };
    const apply = (_, changes) => this.show(section, changes, signal);
    follow(getChanges(this.event, { section: id }), { read, apply, stale: this.stale, signal });
  }

  show(section, changes, signal) {
    if (!signal.aborted && this.scene.change(section, changes)) this.changed();
  }

  close() {
    this.ends.abort();
  }
}
