// From held seats to the payment page.

import { dress, sellersPage } from './brand.js';
import { loadEvent, loadVenue, tiersOf, unitLabel } from './catalog.js';
import { emailInput, explainAt, field, h, notice, show } from './dom.js';
import { clockText, money } from './format.js';
import { Basket, unitCount } from './holds.js';
import { links } from './links.js';
import { showFailure, showPage } from './page.js';
import { pay } from './payment.js';
import { isAboutAsking, PostalFields } from './postal.js';
import { explain } from './problems.js';
import { showSessionOver } from './session-over.js';
import { tab } from './store.js';
import { waitTurn } from './turn.js';
import { say, sayWith } from './words.js';

const TICK_MS = 500;
const WARN_S = 60;

let typed = null; // {event, buyer}: what the form holds, for when another language draws it anew

function line(label, price) {
  return h('li', {}, h('span', {}, label), h('span', { class: 'price' }, price));
}

async function unitLines(event, venue, units) {
  const tiers = tiersOf(event);
  return Promise.all(
    units.map(async (unit) => {
      const label = await unitLabel(event, venue, unit);
      const tier = tiers.get(unit.tier);
      const price = tier ? money(tier.price_minor * unitCount(unit), event.currency) : '';
      return line([label, tier && h('small', { class: 'dim' }, h('bdi', {}, tier.name))], price);
    })
  );
}

/** Returns the event's fees for this basket as they will stand in the order: [label, minor] each. */
function feesOf(event, basket) {
  const fees = event.fees || {};
  return [
    [say('checkout-fee-order'), fees.order_minor || 0],
    [say('checkout-fee-ticket', { count: basket.count }), basket.count * (fees.ticket_minor || 0)]
  ].filter(([, minor]) => minor);
}

class CheckoutForm {
  constructor(event, basket, signal) {
    this.signal = signal;
    this.event = event;
    this.basket = basket;
    this.total = money(basket.total(event, tiersOf(event)), event.currency);
    this.problem = h('div', { role: 'alert' });
    this.turn = h('div', {});
    const before = typed?.event === event.event ? typed.buyer : { email: tab.get('email') || '' };
    this.email = emailInput(before.email);
    this.place = h('div', {});
    this.ask(basket.session.ask_address, before.postal_address);
    this.consent = h('div', {});
    this.askConsent(basket.session.terms_url);
    this.button = h('button', { class: 'primary big', type: 'submit' }, this.payText);
    this.element = h(
      'form',
      { onsubmit: (e) => this.send(e), oninput: () => (typed = { event: event.event, buyer: this.buyer }) },
      field(say('checkout-email'), this.email),
      this.place,
      this.consent,
      this.problem,
      this.turn,
      this.button,
      h('p', { class: 'dim small' }, say('checkout-provider'))
    );
  }

  get payText() {
    return say('checkout-pay', { sum: this.total });
  }

  /** What is typed of the buyer. */
  get buyer() {
    return { email: this.email.value.trim(), postal_address: this.postal?.value };
  }

  /** Shows the fields for the postal address, with what was typed of it, or takes them away. */
  ask(asked, before) {
    this.postal = asked ? new PostalFields(before) : null;
    show(this.place, this.postal?.element);
  }

  /** Shows the box for the terms at this address, or takes it away. */
  askConsent(terms) {
    this.terms = terms || undefined;
    const box = h('input', { id: 'terms', type: 'checkbox', required: true });
    const text = terms && sayWith('checkout-accept', { terms: sellersPage(terms, say('checkout-terms')) });
    show(this.consent, terms && h('div', { class: 'consent' }, box, h('label', { for: 'terms' }, text)));
  }

  async send(e) {
    e.preventDefault();
    this.button.disabled = true;
    this.button.textContent = say('checkout-moment');
    explainAt(this.email);
    this.postal?.clear();
    show(this.problem);
    try {
      const buyer = { ...this.buyer, terms: this.terms };
      await pay(this.event.event, this.basket, buyer, (error) => waitTurn(this.turn, error, this.signal));
    } catch (error) {
      this.button.disabled = false;
      this.button.textContent = this.payText;
      if (['session-expired', 'hold-expired'].includes(error.code)) showSessionOver(this.event.event, this.signal);
      else if (error.name === 'AbortError') return;
      else if (error.signedOut) showFailure(error);
      else if (error.fields?.field === 'email') explainAt(this.email, explain(error));
      else if (error.fields?.field === 'terms') {
        this.askConsent(error.fields.terms_url);
        show(this.problem, notice('bad', say('checkout-terms-new')));
      } else if (!this.postal?.explain(error)) {
        // The organiser has just changed what is asked for.
        if (isAboutAsking(error)) this.ask(!this.postal);
        show(this.problem, notice('bad', explain(error)));
      }
    }
  }
}

/** Shows the time left twice a second, and ends the page with it. */
function runClock(clock, basket, id, signal) {
  const showTime = () => {
    clock.textContent = say('sale-time-left', { time: clockText(basket.secondsLeft) });
  };
  const timer = setInterval(() => {
    showTime();
    clock.classList.toggle('low', basket.secondsLeft <= WARN_S);
    if (basket.secondsLeft <= 0) {
      clearInterval(timer);
      showSessionOver(id, signal);
    }
  }, TICK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  showTime();
}

async function showCheckout(event, venue, basket, clock, signal) {
  const form = new CheckoutForm(event, basket, signal);
  const fees = feesOf(event, basket).map(([label, minor]) => line(label, money(minor, event.currency)));
  const back = h('a', { href: links.sale(event.event) }, say('checkout-change-seats'));
  const units = await unitLines(event, venue, basket.units);
  signal.throwIfAborted();
  showPage(
    say('checkout-title', { event: event.name }),
    h(
      'section',
      { class: 'card narrow checkout' },
      h('div', { class: 'sale-head' }, h('h1', {}, say('checkout-heading')), clock),
      h('p', { class: 'dim' }, h('bdi', {}, event.name)),
      h('ul', { class: 'units' }, units, fees),
      h('p', { class: 'total' }, h('span', {}, say('panel-total')), h('b', {}, form.total)),
      form.element,
      basket.session.state === 'reservation' && h('p', {}, back)
    )
  );
}

export async function open(signal, id) {
  const event = await loadEvent(id, signal);
  dress(event);
  const venue = await loadVenue(event);
  const basket = await Basket.liveOrNull(id, signal);
  signal.throwIfAborted();
  if (!basket) {
    await showSessionOver(id, signal, say('session-none'));
    return;
  }
  const pendingOrder = basket.session.order?.order || tab.get(`order:${id}`);
  if (basket.session.state === 'checkout' && pendingOrder) {
    location.replace(links.order(pendingOrder));
    return;
  }
  if (!basket.count) {
    location.replace(links.sale(id));
    return;
  }
  const clock = h('span', { class: 'clock', role: 'timer', 'aria-label': say('sale-time') });
  await showCheckout(basket.agreed(event), venue, basket, clock, signal);
  runClock(clock, basket, id, signal);
}
