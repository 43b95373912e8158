// General admission: one area of the venue, and how many places of it to hold.

import { field, h } from './dom.js';
import { money } from './format.js';
import { say } from './words.js';

const PLACES_MAX = 10;

/** The form of one area. `sale` offers basket, tiers, event and holdPlaces. */
export class AreaForm {
  constructor(sale, area) {
    this.sale = sale;
    this.area = area;
    const most = Math.max(1, Math.min(PLACES_MAX, sale.basket.spare));
    const options = Array.from({ length: most }, (_, i) => h('option', { value: String(i + 1) }, String(i + 1)));
    const quantity = h('select', { id: 'area-n' }, options);
    const tier = sale.tiers.get(area.tier);
    const text = tier
      ? say('area-free-seating-price', { price: money(tier.whole_minor, sale.event.currency) })
      : say('area-free-seating');
    this.left = h('p', { class: 'lead' }, '');
    this.button = h(
      'button',
      { class: 'primary', onclick: () => sale.holdPlaces(area.id, Number(quantity.value)) },
      say('area-hold')
    );
    this.element = h(
      'div',
      { class: 'area' },
      h('h2', {}, area.name),
      this.left,
      h('p', {}, text),
      h('div', { class: 'fields' }, field(say('area-how-many'), quantity)),
      this.button
    );
  }

  /** Shows how many places the counts of the venue leave. */
  update(counts) {
    const left = counts?.areas?.[this.area.id]?.available;
    const text = left ? say('area-left', { count: left }) : say('area-none-left');
    this.left.textContent = left === undefined ? '' : text;
    this.button.disabled = left === 0 || this.sale.basket.spare < 1;
  }
}
