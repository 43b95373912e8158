// From held seats to the payment page.

import { loadEvent, loadVenue, seatLabel, tiersOf } from './catalog.js';
import { field, h, notice, show } from './dom.js';
import { clockText, money } from './format.js';
import { Basket, unitCount } from './holds.js';
import { failed, page } from './main.js';
import { explain } from './problems.js';
import { tab } from './store.js';
import { sessionOver } from './view-sale.js';

/**
 * Orders the session's seats and leaves for the payment page. A session has one pending order, so
 * asking again leads to its page again.
 */
export async function pay(event, basket, email) {
  const checkout = await basket.checkout(email);
  tab.set('email', email);
  tab.set(`order:${event}`, checkout.order.order);
  const target = new URL(checkout.pay_url, location.href);
  if (!/^https?:$/.test(target.protocol)) throw new Error('The payment page cannot be opened.');
  // Back from there leads to the order, not to a checkout that is done.
  location.replace(`#/o/${checkout.order.order}`);
  location.assign(target.href);
}

async function lines(event, venue, units) {
  const tiers = tiersOf(event);
  return Promise.all(
    units.map(async (unit) => {
      const area = (venue.areas || []).find((a) => a.id === unit.area);
      const label =
        unit.kind === 'area'
          ? `${unit.quantity} × ${area?.name || unit.area}`
          : await seatLabel(event, venue, unit.section, unit.seat);
      const tier = tiers.get(unit.tier);
      return h(
        'li',
        {},
        h('span', {}, label, tier && h('small', { class: 'dim' }, tier.name)),
        h('span', { class: 'price' }, tier ? money(tier.price_minor * unitCount(unit), event.currency) : '')
      );
    })
  );
}

/** The event's fees for this basket: [label, minor] each, as they will stand in the order. */
function feesOf(event, basket) {
  const fees = event.fees || {};
  return [
    ['Fee per order', fees.order_minor || 0],
    [`${basket.count} × fee per ticket`, basket.count * (fees.ticket_minor || 0)]
  ].filter(([, minor]) => minor);
}

class Form {
  constructor(event, basket) {
    this.event = event;
    this.basket = basket;
    const fees = feesOf(event, basket).reduce((sum, [, minor]) => sum + minor, 0);
    this.total = money(basket.total(tiersOf(event)) + fees, event.currency);
    this.words = h('div', { role: 'alert' });
    this.email = h('input', {
      id: 'email',
      type: 'email',
      required: true,
      autocomplete: 'email',
      inputmode: 'email',
      maxlength: 254,
      value: tab.get('email') || ''
    });
    this.button = h('button', { class: 'primary big', type: 'submit' }, `Pay ${this.total}`);
    this.element = h(
      'form',
      { onsubmit: (e) => this.send(e) },
      field('E-mail for your tickets', this.email),
      this.words,
      this.button,
      h('p', { class: 'dim small' }, 'You pay on the payment provider’s page. We never see your card.')
    );
  }

  async send(e) {
    e.preventDefault();
    this.button.disabled = true;
    this.button.textContent = 'One moment…';
    try {
      await pay(this.event.event, this.basket, this.email.value.trim());
    } catch (error) {
      this.button.disabled = false;
      this.button.textContent = `Pay ${this.total}`;
      if (['session-expired', 'hold-expired'].includes(error.code)) sessionOver(this.event.event);
      else if (error.code === 'unauthenticated') failed(error);
      else show(this.words, notice('bad', explain(error)));
    }
  }
}

export async function open(signal, id) {
  const event = await loadEvent(id, signal);
  const venue = await loadVenue(event);
  const path = `#/e/${encodeURIComponent(id)}`;
  let basket;
  try {
    basket = await Basket.live(id, signal);
  } catch (error) {
    if (error.code !== 'not-found') throw error;
    sessionOver(id, 'There is no open session for you here. If your time ran out, your seats were given back.');
    return;
  }
  const known = tab.get(`order:${id}`);
  if (basket.session.state === 'checkout' && known) {
    location.replace(`#/o/${known}`);
    return;
  }
  if (!basket.count) {
    location.replace(path + '/sale');
    return;
  }
  const clock = h('span', { class: 'clock', role: 'timer', 'aria-label': 'Time left' });
  const form = new Form(event, basket);
  page(
    `Checkout: ${event.name}`,
    h(
      'section',
      { class: 'card narrow' },
      h('div', { class: 'sale-head' }, h('h1', {}, 'Checkout'), clock),
      h('p', { class: 'dim' }, event.name),
      h(
        'ul',
        { class: 'units' },
        await lines(event, venue, basket.units),
        feesOf(event, basket).map(([label, minor]) =>
          h('li', {}, h('span', {}, label), h('span', { class: 'price' }, money(minor, event.currency)))
        )
      ),
      h('p', { class: 'total' }, h('span', {}, 'Total'), h('b', {}, form.total)),
      form.element,
      basket.session.state === 'reservation' && h('p', {}, h('a', { href: path + '/sale' }, '← Change seats'))
    )
  );
  const timer = setInterval(() => {
    clock.textContent = `${clockText(basket.secondsLeft)} left`;
    clock.classList.toggle('low', basket.secondsLeft <= 60);
    if (basket.secondsLeft <= 0) {
      clearInterval(timer);
      sessionOver(id);
    }
  }, 500);
  signal.addEventListener('abort', () => clearInterval(timer));
  clock.textContent = `${clockText(basket.secondsLeft)} left`;
}
