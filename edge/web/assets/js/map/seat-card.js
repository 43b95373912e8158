// What a seat costs and is, before it is chosen.

import { placesOf, seatName } from '../catalog.js';
import { h, show } from '../dom.js';
import { money } from '../format.js';
import { say } from '../words.js';
import { icon } from './icons.js';

const SEAT_M = 0.5; // from seat to seat in a row, as it is usual
const FAR_M = 500; // a chart's spacing says no more about what is farther
const GAP = 14;

export class SeatCard {
  constructor() {
    this.element = h('div', { class: 'seat-card', role: 'group', 'aria-label': say('card-label') });
    this.element.hidden = true;
  }

  /**
   * Shows a seat: `seat` of the section's file, `section` the name, `tier`, `view` what is seen from it, of
   * `viewFacts`, and `action` {text, act} or null. `at`, `room`: where it is on the map, and the map's size.
   */
  showSeat({ seat, section, tier, currency, view, state, action }, at, room) {
    const places = placesOf(seat);
    const price = tier ? money(tier.whole_minor * places, currency) : '';
    const each = places > 1 && tier && say('card-each', { price: money(tier.whole_minor, currency) });
    const facts = [...features(seat), ...view, each && ['price', each], ['price', say('card-fees')]].filter(Boolean);
    this.fill(
      h('b', { class: 'card-name' }, seatName(seat)),
      h('b', { class: 'card-price' }, price),
      h('span', { class: 'dim small' }, h('bdi', {}, section), tier && `, ${tier.name}`),
      state && h('span', { class: 'card-state' }, state),
      h(
        'ul',
        { class: 'card-facts' },
        facts.map(([name, text]) => h('li', {}, icon(name), text))
      ),
      action && h('button', { class: 'primary', onclick: action.act }, action.text)
    );
    this.put(at, room);
  }

  /** Shows a section or an area: its name, its price and what is left. */
  showPlace({ name, price, left }, at, room) {
    this.fill(
      h('b', { class: 'card-name' }, name),
      h('b', { class: 'card-price' }, price),
      left && h('span', {}, left)
    );
    this.put(at, room);
  }

  /** Shows a form in its place: of an area without seats. */
  showForm(form) {
    this.fill(form);
    this.element.classList.add('fixed');
  }

  fill(...parts) {
    show(this.element, ...parts);
    this.element.hidden = false;
    this.element.classList.remove('fixed');
  }

  /** Puts the card above a point of the map, or below it where there is no space. */
  put(at, room) {
    const { offsetWidth: wide, offsetHeight: high } = this.element;
    const left = Math.max(8, Math.min(room.width - wide - 8, at.x - wide / 2));
    const top = at.y - high - GAP > 8 ? at.y - high - GAP : Math.min(room.height - high - 8, at.y + GAP);
    this.element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`; // the sheet's place needs none
  }

  hide() {
    this.element.hidden = true;
    show(this.element);
  }
}

function features(seat) {
  if (seat.kind === 'accessible') return [['wheelchair', say('card-wheelchair')]];
  return seat.kind === 'companion' ? [['companion', say('card-companion')]] : [];
}

/** Says what is seen from a seat, [icon, text] each: whether something is in the way, and how far it is. */
export function viewFacts(scene, i, focus, restricted) {
  const metres = focus && Math.hypot(scene.x[i] - focus.x, scene.y[i] - focus.y) * (SEAT_M / scene.cell[3 * i + 1]);
  const view = restricted ? ['restricted', say('card-restricted')] : ['view', say('card-clear')];
  if (!focus?.name || metres >= FAR_M) return [view];
  return [view, ['away', say('card-away', { metres: Math.round(metres), focus: focus.name })]];
}
