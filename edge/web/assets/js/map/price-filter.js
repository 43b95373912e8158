// The legend of prices above the map: each chip hides its seats, or shows them again.

import { h } from '../dom.js';
import { money } from '../format.js';
import { say } from '../words.js';
import { icon } from './icons.js';
import { swatch } from './tiers.js';

export class PriceFilter {
  /** `tiers`: of `rankedTiers`; `changed(hidden, accessibleOnly)` is called with the ids of tiers that are off. */
  constructor(tiers, currency, changed) {
    this.hidden = new Set();
    this.accessibleOnly = false;
    this.changed = changed;
    const cheapestFirst = [...tiers.values()].sort((a, b) => a.whole_minor - b.whole_minor);
    this.accessible = h(
      'button',
      { class: 'chip', 'aria-pressed': 'false', onclick: () => this.toggleAccessible() },
      icon('wheelchair'),
      say('map-accessible')
    );
    const chips = cheapestFirst.map((tier) => this.chip(tier, money(tier.whole_minor, currency), tiers.size));
    this.element = h(
      'div',
      { class: 'filter', role: 'group', 'aria-label': say('map-filter') },
      this.accessible,
      chips
    );
  }

  chip(tier, price, count) {
    const named = count <= 5 && h('span', { class: 'chip-name' }, tier.name);
    const attributes = { class: 'chip', 'aria-pressed': 'true', 'aria-label': `${tier.name}, ${price}` };
    const chip = h('button', { ...attributes, onclick: () => this.toggle(tier.id, chip) }, swatch(tier), named, price);
    return chip;
  }

  toggle(id, chip) {
    const off = !this.hidden.delete(id);
    if (off) this.hidden.add(id);
    chip.setAttribute('aria-pressed', String(!off));
    this.changed(this.hidden, this.accessibleOnly);
  }

  toggleAccessible() {
    this.accessibleOnly = !this.accessibleOnly;
    this.accessible.setAttribute('aria-pressed', String(this.accessibleOnly));
    this.changed(this.hidden, this.accessibleOnly);
  }
}
