// The same seats as rows of buttons: for keyboards, screen readers and people who prefer words.

import { placesOf, seatName } from './catalog.js';
import { h, showKept } from './dom.js';
import { money } from './format.js';
import { say } from './words.js';

const STATES = ['mine', 'gone']; // that are said

/** Says what kind of a seat it is; '' for most. */
const kindOf = ({ kind }) => (kind === 'standard' ? '' : say(`list-kind-${kind}`));

export class SeatList {
  constructor(section, { tiers, currency, stateOf, toggle }) {
    Object.assign(this, { section, tiers, currency, stateOf, toggle });
    this.rows = new Map();
    for (const seat of section.all) {
      const key = `${seat.block || ''}/${seat.rowId}`;
      if (!this.rows.has(key)) this.rows.set(key, { row: seat.row, seats: [] });
      this.rows.get(key).seats.push(seat);
    }
    this.element = h(
      'div',
      { class: 'seat-list' },
      [...this.rows.values()].map((row) => this.rowElement(row))
    );
    this.update();
  }

  rowElement(row) {
    row.count = h('span', { class: 'dim' });
    row.body = h('div', { class: 'row-seats' });
    row.element = h(
      'details',
      { ontoggle: () => this.openRow(row) },
      h('summary', {}, h('b', {}, say('list-row', { row: row.row })), ' ', row.count),
      row.body
    );
    return row.element;
  }

  update() {
    for (const row of this.rows.values()) {
      row.free = row.seats.filter((seat) => this.stateOf(seat) !== 'gone');
      row.count.textContent = row.free.length ? say('list-free', { count: row.free.length }) : say('list-none-free');
      this.fillRow(row);
    }
  }

  /** Shows the seats that are free now; one that goes while the row is open keeps its place in it. */
  openRow(row) {
    row.shown = new Set();
    this.fillRow(row);
  }

  fillRow(row) {
    if (!row.element.open || !row.shown) return;
    for (const seat of row.free) row.shown.add(seat.id);
    const seats = row.seats.filter((seat) => row.shown.has(seat.id));
    showKept(
      row.body,
      seats.map((seat) => [seat.id, () => this.seatButton(seat)])
    );
    seats.forEach((seat, i) => this.showState(row.body.children[i], seat));
  }

  showState(button, seat) {
    const state = this.stateOf(seat);
    button.setAttribute('aria-pressed', String(state === 'mine' || state === 'chosen'));
    button.setAttribute('aria-disabled', String(state === 'gone'));
    const said = STATES.includes(state) && say(`list-state-${state}`);
    button.setAttribute('aria-label', [this.nameOf(seat), said].filter(Boolean).join(', '));
  }

  nameOf(seat) {
    return [seatName(seat), this.priceOf(seat), kindOf(seat)].filter(Boolean).join(', ');
  }

  priceOf(seat) {
    const tier = this.tiers.get(seat.tier);
    return tier ? money(tier.whole_minor * placesOf(seat), this.currency) : '';
  }

  seatButton(seat) {
    const unit = seat.unit && say(seat.unit === 'box' ? 'list-box-for' : 'list-table-for', { count: seat.capacity });
    const kind = seat.kind === 'accessible' ? '♿' : kindOf(seat);
    const price = [this.priceOf(seat), kind].filter(Boolean).join(' ');
    return h(
      'button',
      { class: 'seat-button', 'data-seat': seat.id, onclick: () => this.toggle(seat) },
      h('b', {}, seat.number),
      h('small', {}, [unit, price].filter(Boolean).join(', '))
    );
  }
}
