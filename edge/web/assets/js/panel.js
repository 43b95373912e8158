// Beside the map: best available, what is chosen, what is held, and the way to pay.

import { announce, field, h, show } from './dom.js';
import { money, plural } from './format.js';
import { placesOf, seatName } from './catalog.js';
import { unitCount, unitId } from './holds.js';

export class Panel {
  /** `sale` offers basket, tiers, event, chosen, labels and the actions. */
  constructor(sale) {
    this.sale = sale;
    this.chosen = h('div', {});
    this.held = h('div', {});
    this.best = this.bestForm();
    this.bar = h('div', { class: 'bar' });
    this.element = h('aside', { class: 'panel', 'aria-label': 'Your seats' }, this.chosen, this.held, this.best);
  }

  bestForm() {
    const { event } = this.sale;
    this.quantity = h(
      'select',
      { id: 'best-n' },
      Array.from({ length: Math.min(10, this.sale.basket.session.hold_limit) }, (_, i) =>
        h('option', { value: String(i + 1) }, String(i + 1))
      )
    );
    this.quantity.value = '2';
    this.tier = h(
      'select',
      { id: 'best-tier', onchange: () => this.sale.filter(this.tier.value) },
      h('option', { value: '' }, 'Any price'),
      event.tiers.map((tier) =>
        h('option', { value: tier.id }, `${tier.name}, ${money(tier.price_minor, event.currency)}`)
      )
    );
    this.where = h('select', { id: 'best-where' });
    this.accessible = h('input', { type: 'checkbox', id: 'best-accessible' });
    this.button = h('button', { class: 'primary', type: 'submit' }, 'Find and hold seats');
    return h(
      'form',
      {
        class: 'card best',
        onsubmit: (e) => {
          e.preventDefault();
          this.sale.takeBest(this.wish());
        }
      },
      h('h2', {}, 'Best available'),
      h(
        'div',
        { class: 'fields' },
        field('Seats', this.quantity),
        field('Price', this.tier),
        field('Where', this.where)
      ),
      h('label', { class: 'check', for: 'best-accessible' }, this.accessible, 'With a wheelchair space'),
      this.button
    );
  }

  /** The section that is open is the likeliest wish. */
  setSection(section, name) {
    show(this.where, h('option', { value: '' }, 'Anywhere'), section && h('option', { value: section }, name));
    this.where.value = section || '';
  }

  wish() {
    const wish = { quantity: Number(this.quantity.value) };
    if (this.tier.value) wish.tier = this.tier.value;
    if (this.where.value) wish.section = this.where.value;
    if (this.accessible.checked) wish.accessible = true;
    return wish;
  }

  async paint() {
    const { sale } = this;
    show(this.chosen, sale.chosen.size > 0 && this.chosenCard());
    show(this.held, this.heldCard());
    show(this.bar, this.barContent());
    for (const line of this.held.querySelectorAll('[data-label]')) {
      const unit = sale.basket.units.find((u) => unitId(u) === line.dataset.label);
      if (unit) line.textContent = await sale.labelOf(unit);
    }
  }

  chosenCard() {
    const { sale } = this;
    const seats = [...sale.chosen.values()];
    return h(
      'section',
      { class: 'card chosen' },
      h('h2', {}, `Chosen: ${plural(seats.length, 'seat')}`),
      h('p', { class: 'dim small' }, 'Not held yet.'),
      h(
        'ul',
        { class: 'units' },
        seats.map((seat) =>
          h(
            'li',
            {},
            h('span', {}, `${sale.sectionName} · ${seatName(seat)}`),
            this.price(seat.tier, placesOf(seat)),
            h(
              'button',
              { class: 'quiet', 'aria-label': `Do not take ${seatName(seat)}`, onclick: () => sale.toggle(seat) },
              '✕'
            )
          )
        )
      ),
      h(
        'button',
        { class: 'primary wide', disabled: sale.busy, onclick: () => sale.holdChosen() },
        sale.busy ? 'Holding…' : `Hold ${plural(seats.length, 'seat')}`
      )
    );
  }

  heldCard() {
    const { sale } = this;
    if (!sale.basket.count) {
      return h(
        'section',
        { class: 'card' },
        h('h2', {}, 'Your seats'),
        h(
          'p',
          { class: 'dim' },
          `Nothing is held yet. Choose a section on the map, or let us find the best seats. You may hold up to ${sale.basket.session.hold_limit}.`
        )
      );
    }
    return h(
      'section',
      { class: 'card' },
      h('h2', {}, 'Held for you'),
      sale.basket.holds.map((hold) =>
        h(
          'div',
          { class: 'hold' },
          h(
            'ul',
            { class: 'units' },
            hold.units.map((unit) =>
              h(
                'li',
                {},
                h('span', { 'data-label': unitId(unit) }, unitId(unit)),
                this.price(unit.tier, unitCount(unit))
              )
            )
          ),
          h(
            'button',
            { class: 'quiet', onclick: () => sale.release(hold) },
            hold.units.length > 1 ? 'Give these back' : 'Give back'
          )
        )
      ),
      h('p', { class: 'total' }, h('span', {}, 'Total'), h('b', {}, this.total())),
      h(
        'a',
        { class: 'button primary wide', href: `#/e/${encodeURIComponent(sale.event.event)}/checkout` },
        'Go to checkout'
      )
    );
  }

  barContent() {
    const { sale } = this;
    if (sale.chosen.size) {
      return [
        h('span', {}, `${plural(sale.chosen.size, 'seat')} chosen`),
        h(
          'button',
          { class: 'primary', disabled: sale.busy, onclick: () => sale.holdChosen() },
          sale.busy ? 'Holding…' : `Hold ${plural(sale.chosen.size, 'seat')}`
        )
      ];
    }
    if (sale.basket.count) {
      return [
        h('span', {}, `${sale.basket.count} held, `, h('b', {}, this.total())),
        h('a', { class: 'button primary', href: `#/e/${encodeURIComponent(sale.event.event)}/checkout` }, 'Checkout')
      ];
    }
    return [
      h('span', { class: 'dim' }, 'Nothing held yet'),
      h(
        'button',
        {
          onclick: () => {
            this.best.scrollIntoView({ block: 'center' });
            this.quantity.focus();
            announce('Best available');
          }
        },
        'Best available'
      )
    ];
  }

  price(tier, quantity) {
    const price = this.sale.tiers.get(tier)?.price_minor;
    return h('span', { class: 'price' }, price === undefined ? '' : money(price * quantity, this.sale.event.currency));
  }

  total() {
    return money(this.sale.basket.total(this.sale.tiers), this.sale.event.currency);
  }
}
