// Beside the map: best available, what is chosen, what is held, and the way to pay.

import { announce, field, h, show } from './dom.js';
import { money, plural } from './format.js';
import { placesOf, seatName } from './catalog.js';
import { unitCount, unitId } from './holds.js';
import { links } from './links.js';

const QUANTITY_MAX = 10;

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
    const { basket, event } = this.sale;
    const most = Math.min(QUANTITY_MAX, basket.session.hold_limit);
    const option = (value, text = value) => h('option', { value: String(value) }, String(text));
    const tierText = (tier) => `${tier.name}, ${money(tier.price_minor, event.currency)}`;
    this.quantity = h(
      'select',
      { id: 'best-n' },
      Array.from({ length: most }, (_, i) => option(i + 1))
    );
    this.quantity.value = '2';
    this.tier = h(
      'select',
      { id: 'best-tier', onchange: () => this.sale.filter(this.tier.value) },
      option('', 'Any price'),
      event.tiers.map((tier) => option(tier.id, tierText(tier)))
    );
    this.where = h('select', { id: 'best-where' });
    this.accessible = h('input', { type: 'checkbox', id: 'best-accessible' });
    this.button = h('button', { class: 'primary', type: 'submit' }, 'Find and hold seats');
    const onsubmit = (e) => {
      e.preventDefault();
      this.sale.holdBest(this.wish());
    };
    const fields = [field('Seats', this.quantity), field('Price', this.tier), field('Where', this.where)];
    return h(
      'form',
      { class: 'card best', onsubmit },
      h('h2', {}, 'Best available'),
      h('div', { class: 'fields' }, fields),
      h('label', { class: 'check', for: 'best-accessible' }, this.accessible, 'With a wheelchair space'),
      this.button
    );
  }

  /** Offers the open section as the place to search, because it is the likeliest wish. */
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
    show(this.held, sale.basket.count ? this.heldCard() : this.emptyCard());
    show(this.bar, this.barContent());
    for (const line of this.held.querySelectorAll('[data-label]')) {
      const unit = sale.basket.units.find((u) => unitId(u) === line.dataset.label);
      if (unit) line.textContent = await sale.labelOf(unit);
    }
  }

  chosenCard() {
    const seats = [...this.sale.chosen.values()];
    return h(
      'section',
      { class: 'card chosen' },
      h('h2', {}, `Chosen: ${plural(seats.length, 'seat')}`),
      h('p', { class: 'dim small' }, 'Not held yet.'),
      h(
        'ul',
        { class: 'units' },
        seats.map((seat) => this.chosenLine(seat))
      ),
      this.holdButton('primary wide')
    );
  }

  chosenLine(seat) {
    const { sale } = this;
    const name = seatName(seat);
    const attributes = { class: 'quiet', 'aria-label': `Do not take ${name}`, onclick: () => sale.toggle(seat) };
    return h(
      'li',
      {},
      h('span', {}, `${sale.sectionName} · ${name}`),
      this.price(seat.tier, placesOf(seat)),
      h('button', attributes, '✕')
    );
  }

  holdButton(looks) {
    const { sale } = this;
    const text = sale.busy ? 'Holding…' : `Hold ${plural(sale.chosen.size, 'seat')}`;
    return h('button', { class: looks, disabled: sale.busy, onclick: () => sale.holdChosen() }, text);
  }

  emptyCard() {
    const limit = this.sale.basket.session.hold_limit;
    const text =
      'Nothing is held yet. Choose a section on the map, or let us find the best seats. ' +
      `You may hold up to ${limit}.`;
    return h('section', { class: 'card' }, h('h2', {}, 'Your seats'), h('p', { class: 'dim' }, text));
  }

  heldCard() {
    const { sale } = this;
    return h(
      'section',
      { class: 'card' },
      h('h2', {}, 'Held for you'),
      sale.basket.holds.map((hold) => this.holdLines(hold)),
      h('p', { class: 'total' }, h('span', {}, 'Total'), h('b', {}, this.total())),
      h('a', { class: 'button primary wide', href: links.checkout(sale.event.event) }, 'Go to checkout')
    );
  }

  holdLines(hold) {
    const text = hold.units.length > 1 ? 'Give these back' : 'Give back';
    const line = (unit) =>
      h('li', {}, h('span', { 'data-label': unitId(unit) }, unitId(unit)), this.price(unit.tier, unitCount(unit)));
    return h(
      'div',
      { class: 'hold' },
      h('ul', { class: 'units' }, hold.units.map(line)),
      h('button', { class: 'quiet', onclick: () => this.sale.release(hold) }, text)
    );
  }

  barContent() {
    const { sale } = this;
    if (sale.chosen.size) {
      return [h('span', {}, `${plural(sale.chosen.size, 'seat')} chosen`), this.holdButton('primary')];
    }
    if (sale.basket.count) {
      const checkout = { class: 'button primary', href: links.checkout(sale.event.event) };
      return [h('span', {}, `${sale.basket.count} held, `, h('b', {}, this.total())), h('a', checkout, 'Checkout')];
    }
    const goToForm = () => {
      this.best.scrollIntoView({ block: 'center' });
      this.quantity.focus();
      announce('Best available');
    };
    return [h('span', { class: 'dim' }, 'Nothing held yet'), h('button', { onclick: goToForm }, 'Best available')];
  }

  price(tier, quantity) {
    const price = this.sale.tiers.get(tier)?.price_minor;
    return h('span', { class: 'price' }, price === undefined ? '' : money(price * quantity, this.sale.event.currency));
  }

  total() {
    return money(this.sale.basket.total(this.sale.tiers), this.sale.event.currency);
  }
}
