// One open section of the sale: its seats as a map or as a list, and what others do to them.

import { get } from './api.js';
import { loadSection } from './catalog.js';
import { h } from './dom.js';
import { money } from './format.js';
import { follow } from './live.js';
import { SectionMap } from './map.js';
import { getChanges, getSectionSeats } from './operations.js';
import { dot } from './parts.js';
import { SeatList } from './seat-list.js';

/** `sale` offers event, venue, tiers and signal, and is asked and told by stateOf, toggle, seatsTaken and outdated. */
export class OpenSection {
  constructor(sale, section, name) {
    this.sale = sale;
    this.section = section;
    this.name = name;
    this.ends = new AbortController();
    this.statuses = '';
    this.loadedAt = undefined; // where in the log of changes the loaded statuses stand
  }

  /** Loads the geometry and the seats' statuses. */
  async load() {
    const [layout, { statuses, id }] = await Promise.all([
      loadSection(this.sale.event, this.section.id),
      this.readSeats(true)
    ]);
    this.layout = layout;
    this.statuses = statuses;
    this.loadedAt = id;
  }

  readSeats(retry = false) {
    const { event, signal } = this.sale;
    return get(getSectionSeats(event.event, this.section.id), { signal, retry, cache: 'no-cache' });
  }

  /** Makes the map and the list of what was loaded, and follows the changes. */
  start(tierFilter) {
    const { sale, layout } = this;
    const focus = this.section.focalPoint || sale.venue.focalPoint;
    const shared = {
      tiers: sale.tiers,
      currency: sale.event.currency,
      stateOf: (seat) => sale.stateOf(seat),
      toggle: (seat) => sale.toggle(seat)
    };
    const focalPoint = focus && (Array.isArray(focus) ? focus : [focus.x, focus.y]);
    this.map = new SectionMap({ ...layout, name: this.name }, { ...shared, focalPoint });
    this.map.tierFilter = tierFilter;
    this.list = new SeatList(layout, shared);
    this.followSeats();
  }

  close() {
    this.ends.abort();
    this.map.close();
  }

  /** Says whether others have left a seat free. */
  isFree(seat) {
    return this.statuses[seat.index] === '0';
  }

  seat(id) {
    return this.layout.byId.get(id);
  }

  filter(tier) {
    this.map.tierFilter = tier;
    this.map.later();
  }

  /** Draws the seats again; the list only while it is shown, because it moves the focus. */
  repaint(asList) {
    this.map.later();
    if (asList) this.list.update();
  }

  /** The colours of the prices in this section, and the marks of taken and own seats. */
  key() {
    const { event } = this.sale;
    const tierIds = new Set(this.layout.all.map((seat) => seat.tier));
    const tiers = event.tiers.filter((tier) => tierIds.has(tier.id));
    return h(
      'ul',
      { class: 'key' },
      tiers.map((tier) => h('li', {}, dot(tier.color), `${tier.name} ${money(tier.whole_minor, event.currency)}`)),
      h('li', {}, h('span', { class: 'dot dot-gone', 'aria-hidden': 'true' }), 'taken'),
      h('li', {}, h('span', { class: 'dot dot-own', 'aria-hidden': 'true' }, '✓'), 'yours')
    );
  }

  followSeats() {
    const { sale, section } = this;
    const read = async () => {
      const loadedAt = this.loadedAt;
      this.loadedAt = undefined;
      if (loadedAt !== undefined) return loadedAt; // what was loaded is drawn already
      const { statuses, id } = await this.readSeats();
      this.update(statuses);
      return id;
    };
    const apply = (_, changes) => {
      const statuses = [...this.statuses];
      for (const [seat, code] of changes) statuses[seat] = String(code);
      this.update(statuses.join(''));
    };
    sale.signal.addEventListener('abort', () => this.ends.abort());
    follow(getChanges(sale.event.event, { section: section.id }), {
      read,
      apply,
      stale: () => sale.outdated(),
      signal: this.ends.signal
    });
  }

  /** Takes over what others did, unless the buyer has gone on. */
  update(statuses) {
    if (this.ends.signal.aborted || statuses === this.statuses) return;
    this.statuses = statuses;
    this.sale.statusesChanged();
  }
}
