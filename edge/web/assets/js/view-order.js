// An order from payment to ticket, and every way it can end.

import { get, paths } from './api.js';
import { identity } from './auth.js';
import { loadEvent } from './catalog.js';
import { nowMs, secondsUntil } from './clock.js';
import { announce, h, nap, notice, show } from './dom.js';
import { clockText, money, plural } from './format.js';
import { Basket } from './holds.js';
import { links } from './links.js';
import { Pace } from './pace.js';
import { showPage } from './page.js';
import { pay } from './payment.js';
import { explain } from './problems.js';
import { tab } from './store.js';
import { ticketGallery } from './ticket.js';

const PATIENCE_MS = 5000; // a webhook is usually here by then
const FINAL = new Set(['ticketed', 'failed', 'expired', 'refunded', 'cancelled', 'disputed', 'charged_back']);

// The order does not say whether the bank refuses the refund or returns it: then a person pays it.
const MONEY_BACK = 'Banks take some days for it. Has the money not come by then? Please contact the box office.';

const STATES = {
  pending: ['Waiting for your payment', 'info', 'As soon as the payment provider tells us, your tickets appear here.'],
  paid: ['Paid. Your tickets are being made', 'good', 'This takes a few seconds.'],
  ticketed: ['Your tickets', 'good', ''],
  failed: ['The payment was declined', 'warn', 'Nothing was charged.'],
  expired: ['The time to pay is over', 'warn', 'Nothing was charged, and your seats were given back.'],
  refund_due: [
    'Your money is on its way back',
    'warn',
    'The payment arrived after your seats had gone, so it is being refunded. ' + MONEY_BACK
  ],
  refunded: ['Your money was sent back', 'warn', 'The order was refunded in full.'],
  cancelled: ['The order was cancelled', 'warn', 'It is being refunded. ' + MONEY_BACK],
  disputed: [
    'Your tickets are on hold',
    'warn',
    'Your bank has asked for this payment back, so the tickets admit nobody for now. ' +
      'If that was a mistake, please tell your bank: once it withdraws, they are valid again.'
  ],
  charged_back: [
    'This order is over',
    'warn',
    'Your bank took the payment back, and the tickets are no longer valid. Nothing more is charged.'
  ]
};

const DECLINED =
  'Not paid: the card was declined. Nothing was charged, and you can try again, perhaps with another card.';
const UNPAID =
  'Not paid yet. If the card was declined, or you came back without paying: ' +
  'nothing was charged, and you can try again.';
const TOO_LATE = 'The time for these seats is over, and they were given back. Nothing was charged.';

/** Names a line of the order with its number, unless the label begins with it. */
function lineLabel({ quantity, label }) {
  return quantity > 1 && !String(label).startsWith(String(quantity)) ? `${quantity} × ${label}` : label;
}

class OrderView {
  constructor(order, signal) {
    this.id = order.order;
    this.signal = signal;
    this.since = nowMs();
    this.title = h('h1', {});
    this.words = h('div', { role: 'status' });
    this.body = h('div', {});
    this.clock = h('b', {});
    this.element = h('section', { class: 'card narrow' }, this.title, this.words, this.body);
    this.update(order);
  }

  /** Shows the order, where something of it changed. */
  update(order) {
    this.order = order;
    const summary = `${order.state}/${order.last_attempt}/${order.tickets}/${order.expires_at}`;
    if (summary === this.shown) return;
    this.shown = summary;
    const [title, kind, text] = STATES[order.state] || [order.state, 'info', ''];
    this.title.textContent = title;
    document.title = `${title} – Fairgate`;
    announce(`${title}. ${text}`);
    show(this.words, text && notice(kind, text));
    show(this.body, this.content(order));
  }

  content(order) {
    const event = order.event;
    const parts = [];
    if (order.state === 'ticketed') {
      parts.push(
        h('p', {}, `Show ${order.tickets === 1 ? 'this code' : 'these codes'} at the door, on the screen or on paper.`),
        ticketGallery(order, identity().token, this.signal)
      );
    }
    if (order.state === 'pending') parts.push(this.pending(order));
    if (order.state === 'failed') parts.push(this.failed(order));
    parts.push(
      h('h2', {}, 'Order'),
      h(
        'ul',
        { class: 'units' },
        order.lines.map((line) =>
          h(
            'li',
            {},
            h('span', {}, lineLabel(line)),
            h('span', { class: 'price' }, money(line.price_minor * line.quantity, order.currency))
          )
        )
      ),
      h('p', { class: 'total' }, h('span', {}, 'Total'), h('b', {}, money(order.total_minor, order.currency))),
      h('p', { class: 'dim small' }, `Order ${order.order}`)
    );
    if (FINAL.has(order.state) && !['failed'].includes(order.state))
      parts.push(h('a', { class: 'button', href: links.event(event) }, 'Back to the event'));
    return parts;
  }

  /** Shows a decline at once, and an order left unpaid after a moment: that leaves no trace. */
  pending(order) {
    const retry = h('button', { class: 'primary', onclick: () => this.again(order, retry) }, 'Go to the payment page');
    const declined = order.last_attempt === 'declined';
    this.unpaid = h(
      'div',
      { hidden: !declined && nowMs() - this.since < PATIENCE_MS },
      notice('warn', declined ? DECLINED : UNPAID)
    );
    return h(
      'div',
      {},
      this.unpaid,
      h('p', {}, 'Your seats are held for ', this.clock, ' more.'),
      h('div', { class: 'buttons' }, retry, this.giveBackButton(order))
    );
  }

  failed(order) {
    const retry = h('button', { class: 'primary', onclick: () => this.again(order, retry) }, 'Pay again');
    return h(
      'div',
      {},
      h('p', {}, 'Your seats are still held. You can try again, perhaps with another card.'),
      h('div', { class: 'buttons' }, retry, this.giveBackButton(order))
    );
  }

  async again(order, button) {
    button.disabled = true;
    try {
      await pay(order.event, await Basket.live(order.event, this.signal), tab.get('email') || '');
    } catch (error) {
      button.disabled = false;
      if (error.code === 'malformed-input') {
        location.hash = links.checkout(order.event);
        tab.set(`order:${order.event}`, null);
        return;
      }
      const over = ['not-found', 'session-expired', 'hold-expired'].includes(error.code);
      show(this.words, notice('bad', over ? TOO_LATE : explain(error)));
    }
  }

  giveBackButton(order) {
    const button = h('button', {}, 'Give the seats back');
    button.addEventListener('click', () => this.giveBack(order, button));
    return button;
  }

  /** Gives the seats back at the second click. */
  async giveBack(order, button) {
    if (!button.dataset.sure) {
      button.dataset.sure = '1';
      button.textContent = 'Really give the seats back?';
      return;
    }
    button.disabled = true;
    try {
      await (await Basket.live(order.event, this.signal)).giveBack();
      tab.set(`order:${order.event}`, null);
      location.hash = links.event(order.event);
    } catch (error) {
      button.disabled = false;
      show(this.words, notice('bad', explain(error)));
    }
  }

  tick() {
    if (this.order.expires_at) this.clock.textContent = clockText(secondsUntil(this.order.expires_at));
    if (this.unpaid && this.order.last_attempt !== 'declined') this.unpaid.hidden = nowMs() - this.since < PATIENCE_MS;
  }

  /** Follows the order until its last state. */
  async follow() {
    const read = (options) => get(paths.order(this.id), { token: identity().token, signal: this.signal, ...options });
    const pace = new Pace();
    while (!this.signal.aborted && !FINAL.has(this.order.state)) {
      this.tick();
      await nap(pace.next(), this.signal);
      try {
        const before = this.shown;
        this.update(await read());
        if (this.shown !== before) pace.restart();
      } catch (error) {
        if (error.name === 'AbortError') return;
        if (error.code !== 'offline' && error.status < 500 && error.status !== 429) throw error;
        await nap((error.retryAfterS || 2) * 1000, this.signal);
      }
    }
  }
}

export async function open(signal, id) {
  const order = await get(paths.order(id), { token: identity().token, retry: true, signal });
  const event = await loadEvent(order.event, signal).catch(() => null);
  const view = new OrderView(order, signal);
  const name = event && h('p', { class: 'dim narrow-line' }, `${event.name}, ${plural(order.tickets, 'place')}`);
  showPage(STATES[order.state]?.[0] || 'Your order', name, view.element);
  const timer = setInterval(() => view.tick(), 500);
  signal.addEventListener('abort', () => clearInterval(timer));
  view.follow().catch((error) => show(view.words, notice('bad', explain(error))));
}
