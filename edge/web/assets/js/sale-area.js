// General admission: one area of the venue, and how many places of it to hold.

import { field, h } from './dom.js';
import { money, plural } from './format.js';

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
    const each = tier && ` ${money(tier.whole_minor, sale.event.currency)} each.`;
    this.left = h('p', { class: 'lead' }, '');
    this.button = h(
      'button',
      { class: 'primary', onclick: () => sale.holdPlaces(area.id, Number(quantity.value)) },
      'Hold places'
    );
    this.element = h(
      'div',
      { class: 'area' },
      h('h2', {}, area.name),
      this.left,
      h('p', {}, 'No numbered seats: stand or sit where you like.', each),
      h('div', { class: 'fields' }, field('How many', quantity)),
      this.button
    );
  }

  /** Shows how many places the counts of the venue leave. */
  update(counts) {
    const left = counts?.areas?.[this.area.id]?.available;
    const text = left ? `${plural(left, 'place')} left` : 'None left at this moment';
    this.left.textContent = left === undefined ? '' : text;
    this.button.disabled = left === 0 || this.sale.basket.spare < 1;
  }
}
