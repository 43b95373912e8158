// Beside the map: best available, what is chosen, what is held, and the way to pay.

import { announce, field, h, show, showKept } from './dom.js';
import { money } from './format.js';
import { placesOf, seatName } from './catalog.js';
import { unitCount, unitId } from './holds.js';
import { links } from './links.js';
import { feeNote } from './parts.js';
import { say } from './words.js';

const QUANTITY_MAX = 10;
const SWIPE_PX = 24;

export class Panel {
  /** `sale` offers basket, tiers, event, chosen, places, clocks, labels and the actions. */
  constructor(sale) {
    this.sale = sale;
    this.chosen = h('div', {});
    this.held = h('div', {});
    this.best = this.bestForm();
    this.makeParts();
    this.actions = h('div', { class: 'bar-actions' });
    const places = h(
      'details',
      { class: 'card as-list' },
      h('summary', {}, say('event-sections-list')),
      sale.places.element
    );
    places.open = matchMedia('(min-width: 56.25em)').matches;
    const key = h('p', { class: 'dim small' }, say('panel-key'));
    const parts = [this.chosen, this.held, this.best, places, key];
    this.element = h('aside', { class: 'panel', id: 'panel', 'aria-label': say('panel-title') }, parts);
    this.bar = this.makeBar();
  }

  /** Makes the phone's bar: it draws the panel up as a sheet, and down again. */
  makeBar() {
    const attributes = { class: 'grip', 'aria-controls': 'panel', 'aria-expanded': 'false' };
    this.grip = h(
      'button',
      { ...attributes, onclick: () => this.draw(!this.drawn) },
      h('span', { class: 'hidden-text' })
    );
    const bar = h('div', { class: 'bar' }, this.grip, this.sale.clocks[1], this.actions);
    let from = null;
    bar.addEventListener('pointerdown', (e) => {
      from = e.clientY;
    });
    bar.addEventListener('pointerup', (e) => {
      if (from !== null && Math.abs(e.clientY - from) > SWIPE_PX) this.draw(e.clientY < from);
      from = null;
    });
    this.element.addEventListener('keydown', (e) => {
      if (e.key === 'Escape' && this.drawn) {
        this.draw(false);
        this.grip.focus();
      }
    });
    return bar;
  }

  /** Draws the sheet down when what may lie under it gets the focus. */
  givesWay({ target }) {
    if (this.drawn && !this.element.contains(target) && !this.bar.contains(target)) this.draw(false);
  }

  /** Draws the sheet up or down. */
  draw(up) {
    const hides = this.drawn && !up && this.element.contains(document.activeElement);
    this.drawn = up;
    this.element.classList.toggle('drawn', up);
    this.grip.setAttribute('aria-expanded', String(up));
    this.grip.firstChild.textContent = say(up ? 'panel-to-map' : 'panel-to-seats');
    if (hides) this.grip.focus();
  }

  bestForm() {
    const { basket, event, venue } = this.sale;
    const most = Math.min(QUANTITY_MAX, basket.session.hold_limit);
    const option = (value, text = value) => h('option', { value: String(value) }, String(text));
    const tierText = (tier) => `${tier.name}, ${money(tier.whole_minor, event.currency)}`;
    this.quantity = h(
      'select',
      { id: 'best-n' },
      Array.from({ length: most }, (_, i) => option(i + 1))
    );
    this.quantity.value = '2';
    this.tier = h(
      'select',
      { id: 'best-tier' },
      option('', say('panel-any-price')),
      event.tiers.map((tier) => option(tier.id, tierText(tier)))
    );
    this.where = h('select', { id: 'best-where' });
    this.accessible = h('input', { type: 'checkbox', id: 'best-accessible' });
    this.standing = h('input', { type: 'checkbox', id: 'best-standing' });
    this.button = h('button', { class: 'primary', type: 'submit' }, say('panel-find'));
    const onsubmit = (e) => {
      e.preventDefault();
      this.sale.holdBest(this.wish());
    };
    const fields = [
      field(say('panel-seats'), this.quantity),
      field(say('panel-price'), this.tier),
      field(say('panel-where'), this.where)
    ];
    return h(
      'form',
      { class: 'card best', onsubmit },
      h('h2', {}, say('panel-best')),
      h('div', { class: 'fields' }, fields),
      h('label', { class: 'check', for: 'best-accessible' }, this.accessible, say('panel-wheelchair')),
      venue.sections.length > 0 &&
        venue.areas?.length > 0 &&
        h('label', { class: 'check', for: 'best-standing' }, this.standing, say('offer-standing')),
      this.button,
      feeNote(event)
    );
  }

  /** Offers the open section as the place to search, the likeliest wish; `byItself` adds none that was not there. */
  setSection(section, name, byItself) {
    const before = this.where.value;
    show(
      this.where,
      h('option', { value: '' }, say('panel-anywhere')),
      section && h('option', { value: section }, name)
    );
    this.where.value = byItself && before !== section ? '' : section || '';
  }

  wish() {
    const wish = { quantity: Number(this.quantity.value) };
    if (this.tier.value) wish.tier = this.tier.value;
    if (this.where.value) wish.section = this.where.value;
    if (this.accessible.checked) wish.accessible = true;
    if (this.standing.checked) wish.standing = true;
    return wish;
  }

  /** Brings all of it up to date in place: it is painted whenever somebody else buys. */
  paint() {
    const { sale } = this;
    const focused = document.activeElement;
    const inside = this.element.contains(focused) || this.actions.contains(focused);
    const { size } = sale.chosen;
    for (const button of this.holdButtons) {
      button.textContent = sale.busy ? say('panel-holding') : say('panel-hold', { count: size });
      button.disabled = sale.busy;
    }
    for (const total of this.totals) total.textContent = this.total();
    this.paintChosen(size);
    this.paintHeld();
    this.paintBar(size);
    if (inside && !focused.isConnected) this.focusNext();
  }

  /** Moves the focus on when what had it is gone: another took the seat, or it was given back. */
  focusNext() {
    const { element } = this;
    (element.querySelector('.units button, .hold button') || element.querySelector('button')).focus();
  }

  paintChosen(size) {
    this.chosenTitle.textContent = say('panel-chosen-title', { count: size });
    showKept(
      this.chosenUnits,
      [...this.sale.chosen.values()].map((seat) => [seat.id, () => this.chosenLine(seat)])
    );
    showKept(this.chosen, size ? [['card', () => this.chosenCard]] : []);
  }

  paintHeld() {
    const { sale } = this;
    const { basket } = sale;
    showKept(
      this.holds,
      basket.holds.map((hold) => [hold.hold + sale.offers.hasOthers(hold), () => this.holdLines(hold)])
    );
    showKept(this.held, [basket.count ? ['held', () => this.heldCard] : ['empty', () => this.emptyCard()]]);
  }

  paintBar(size) {
    const { basket } = this.sale;
    this.barChosen.firstChild.firstChild.textContent = say('panel-chosen', { count: size });
    this.barChosen.firstChild.lastChild.textContent = this.chosenTotal();
    this.barHeld.firstChild.firstChild.textContent = say('panel-held', { count: basket.count });
    const mode = size ? 'barChosen' : basket.count ? 'barHeld' : 'barEmpty';
    showKept(this.actions, [[mode, () => this[mode]]]);
    if (!this.grip.textContent) this.draw(false);
  }

  /** Makes the parts that last as long as the page. */
  makeParts() {
    const { sale } = this;
    const holdButton = (looks) => h('button', { class: looks, onclick: () => sale.holdChosen() });
    const checkout = (looks, text) => h('a', { class: looks, href: links.checkout(sale.event.event) }, text);
    const goToForm = () => {
      this.draw(true);
      this.best.scrollIntoView({ block: 'nearest' });
      this.quantity.focus();
      announce(say('panel-best'));
    };
    this.holdButtons = [holdButton('primary wide'), holdButton('primary')];
    this.totals = [h('b', {}), h('b', {})];
    this.chosenTitle = h('h2', {});
    this.chosenUnits = h('ul', { class: 'units' });
    this.chosenCard = h(
      'section',
      { class: 'card chosen' },
      this.chosenTitle,
      h('p', { class: 'dim small' }, say('panel-not-held')),
      this.chosenUnits,
      this.holdButtons[0]
    );
    this.holds = h('div', {});
    this.heldCard = h(
      'section',
      { class: 'card' },
      h('h2', {}, say('panel-held-title')),
      this.holds,
      h('p', { class: 'total' }, h('span', {}, say('panel-total')), this.totals[0]),
      feeNote(sale.event) && h('p', { class: 'dim small' }, say('panel-fees')),
      checkout('button primary wide', say('panel-go-to-checkout'))
    );
    const sum = (total) => h('span', { class: 'bar-sum' }, h('span', {}), total);
    this.barChosen = h('div', { class: 'bar-mode' }, sum(h('b', {})), this.holdButtons[1]);
    this.barHeld = h(
      'div',
      { class: 'bar-mode' },
      sum(this.totals[1]),
      checkout('button primary', say('panel-checkout'))
    );
    this.barEmpty = h(
      'div',
      { class: 'bar-mode' },
      h('span', { class: 'dim' }, say('panel-nothing')),
      h('button', { onclick: goToForm }, say('panel-best'))
    );
  }

  chosenLine(seat) {
    const { sale } = this;
    const name = seatName(seat);
    const attributes = {
      class: 'quiet close',
      'aria-label': say('panel-not-this', { seat: name }),
      onclick: () => sale.toggle(seat)
    };
    return h(
      'li',
      {},
      h('span', {}, `${sale.sectionName(seat.section)} · ${name}`),
      this.price(seat.tier, placesOf(seat)),
      h('button', attributes)
    );
  }

  emptyCard() {
    const limit = this.sale.basket.session.hold_limit;
    const text = say('panel-empty', { limit });
    return h('section', { class: 'card' }, h('h2', {}, say('panel-title')), h('p', { class: 'dim' }, text));
  }

  holdLines(hold) {
    const { offers } = this.sale;
    const text = say(hold.units.length > 1 ? 'panel-give-these-back' : 'panel-give-back');
    const line = (unit) => {
      const label = h('span', {}, unitId(unit));
      this.sale.labelOf(unit).then((words) => {
        label.textContent = words;
      });
      return h('li', {}, label, this.price(unit.tier, unitCount(unit)));
    };
    return h(
      'div',
      { class: 'hold' },
      h('ul', { class: 'units' }, hold.units.map(line)),
      h('button', { class: 'quiet', onclick: () => this.sale.release(hold) }, text),
      offers.hasOthers(hold) && h('button', { class: 'quiet', onclick: () => offers.others(hold) }, say('offer-others'))
    );
  }

  price(tier, quantity) {
    const price = this.sale.tiers.get(tier)?.whole_minor;
    return h('span', { class: 'price' }, price === undefined ? '' : money(price * quantity, this.sale.event.currency));
  }

  /** The price of what is chosen and not held yet. */
  chosenTotal() {
    const { tiers, event, chosen } = this.sale;
    const minor = [...chosen.values()].reduce(
      (n, seat) => n + placesOf(seat) * (tiers.get(seat.tier)?.whole_minor ?? 0),
      0
    );
    return money(minor, event.currency);
  }

  total() {
    return money(this.sale.basket.total(this.sale.event, this.sale.tiers), this.sale.event.currency);
  }
}
