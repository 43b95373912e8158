// The sections and areas as a list, cheapest first: the same as the map, for those who prefer words.

import { h } from '../dom.js';
import { leftText, levelOf, placesOfVenue, priceText, updatePlaces } from './places.js';
import { swatch } from './tiers.js';

export class PlaceList {
  /** `tiers`: of `rankedTiers`; `choose(id)` is called for the place that is pressed. */
  constructor(venue, tiers, currency, choose) {
    Object.assign(this, { tiers, currency });
    this.hidden = new Set();
    const dearest = (place) => Math.min(...this.tiersOf(place).map((tier) => tier.whole_minor));
    this.places = placesOfVenue(venue).sort((a, b) => dearest(a) - dearest(b));
    this.element = h(
      'ul',
      { class: 'place-list' },
      this.places.map((place) => this.item(place, choose))
    );
  }

  tiersOf(place) {
    return place.tiers.map((id) => this.tiers.get(id)).filter(Boolean);
  }

  item(place, choose) {
    place.count = h('span', { class: 'left' });
    place.button = h(
      'button',
      { class: 'place-button', 'data-kind': place.kind, 'data-place': place.id, onclick: () => choose(place.id) },
      h('span', { class: 'swatches' }, this.tiersOf(place).slice(0, 3).map(swatch)),
      h('span', { class: 'place-words' }, h('b', {}, place.name), place.count),
      h('span', { class: 'dim' }, priceText(this.tiersOf(place), this.currency))
    );
    return h('li', {}, place.button);
  }

  /** Shows the counts of availability. */
  update(counts) {
    updatePlaces(this.places, counts);
    for (const place of this.places) {
      place.count.textContent = leftText(place);
      place.count.className = `left left-${levelOf(place)}`;
      place.button.disabled = levelOf(place) === 'none';
    }
  }

  /** Shows only places that have a price which is not hidden. */
  filter(hidden) {
    for (const place of this.places) {
      place.button.parentNode.hidden = this.tiersOf(place).every((tier) => hidden.has(tier.id));
    }
  }
}
