// The same seats as rows of buttons: for keyboards, screen readers and whoever prefers words.

import { placesOf, seatName } from './catalog.js';
import { h } from './dom.js';
import { money, plural } from './format.js';

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
      { ontoggle: () => this.fillRow(row) },
      h('summary', {}, h('b', {}, `Row ${row.row}`), ' ', row.count),
      row.body
    );
    return row.element;
  }

  update() {
    for (const row of this.rows.values()) {
      row.free = row.seats.filter((seat) => this.stateOf(seat) !== 'gone');
      row.count.textContent = row.free.length ? `${plural(row.free.length, 'seat')} free` : 'none free';
      this.fillRow(row);
    }
  }

  fillRow(row) {
    if (!row.element.open) return;
    const content = row.free.map((seat) => seat.id + this.stateOf(seat)).join();
    if (row.shown === content) return; // leaves the focus where it is
    const focused = document.activeElement?.dataset?.seat;
    row.shown = content;
    row.body.replaceChildren(...row.free.map((seat) => this.seatButton(seat)));
    if (focused) row.body.querySelector(`[data-seat="${CSS.escape(focused)}"]`)?.focus();
  }

  seatButton(seat) {
    const state = this.stateOf(seat);
    const tier = this.tiers.get(seat.tier);
    const price = tier ? money(tier.price_minor * placesOf(seat), this.currency) : '';
    const kind = seat.kind === 'standard' ? '' : `, ${seat.kind}`;
    return h(
      'button',
      {
        class: 'seat-button',
        'data-seat': seat.id,
        'aria-pressed': String(state !== 'free'),
        'aria-label': `${seatName(seat)}${kind}, ${price}${state === 'mine' ? ', held for you' : ''}`,
        onclick: () => this.toggle(seat)
      },
      h('b', {}, seat.number),
      h(
        'small',
        {},
        seat.unit ? `${seat.unit} for ${seat.capacity}, ` : '',
        kind ? `${price} ${seat.kind === 'accessible' ? '♿' : seat.kind}` : price
      )
    );
  }
}
