// What a seat costs and is, before it is chosen.

import { placesOf, seatName } from '../catalog.js';
import { h, show } from '../dom.js';
import { money } from '../format.js';

const SEAT_M = 0.5; // from seat to seat in a row, as it is usual
const GAP = 14;

export class SeatCard {
  constructor() {
    this.element = h('div', { class: 'seat-card', role: 'group', 'aria-label': 'Seat' });
    this.element.hidden = true;
  }

  /**
   * Shows a seat: `seat` of the section's file, `section` the name, `tier`, `view` the texts about what is seen
   * from it, and `action` {text, act} or null. `at`, `room`: where it is on the map, and the map's size.
   */
  showSeat({ seat, section, tier, currency, view, state, action }, at, room) {
    const places = placesOf(seat);
    const price = tier ? money(tier.whole_minor * places, currency) : '';
    const each = places > 1 && tier && `${money(tier.whole_minor, currency)} each`;
    const facts = [...view, ...features(seat), each, 'all fees in'].filter(Boolean);
    this.fill(
      h('b', { class: 'card-name' }, seatName(seat)),
      h('b', { class: 'card-price' }, price),
      h('span', { class: 'dim small' }, h('bdi', {}, section), tier && `, ${tier.name}`),
      state && h('span', { class: 'card-state' }, state),
      h(
        'ul',
        { class: 'card-facts' },
        facts.map((fact) => h('li', {}, fact))
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
  if (seat.kind === 'accessible') return ['♿\uFE0E space for a wheelchair'];
  return seat.kind === 'companion' ? ['companion seat, beside a wheelchair space'] : [];
}

/** Says what is seen from a seat: how far its focal point is, and whether something is in the way. */
export function viewText(scene, i, focus, restricted) {
  const metres = focus && Math.hypot(scene.x[i] - focus.x, scene.y[i] - focus.y) * (SEAT_M / scene.cell[3 * i + 1]);
  const away = focus?.name && metres < 500 && `about ${Math.round(metres)} m to the ${focus.name}`;
  return [restricted ? 'Restricted view' : 'Clear view', away].filter(Boolean);
}
