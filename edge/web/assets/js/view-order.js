// An order from payment to ticket, and every way it can end.

import { get, mayPass } from './api.js';
import { authToken, signIn } from './auth.js';
import { contact, dress } from './brand.js';
import { loadEvent } from './catalog.js';
import { nowMs, secondsUntil } from './clock.js';
import { announce, emailInput, explainAt, field, h, nap, notice, show, wakeAll } from './dom.js';
import { clockText, dateText, money, placeText } from './format.js';
import { cancelBox, returnedLines } from './cancel.js';
import { fileButtons } from './files.js';
import { Basket } from './holds.js';
import { lineLabel } from './labels.js';
import { links } from './links.js';
import { getInvoicePdf, getOrder, getOrderCalendar } from './operations.js';
import { hasFailed, isSettling, orderWords } from './order-words.js';
import { Pace, seldomMs, ticketsPauseMs } from './pace.js';
import { showPage } from './page.js';
import { askTwice, copyButton } from './parts.js';
import { isOffered, passBox, withChange } from './passing.js';
import { pay } from './payment.js';
import { PostalFields, postalLine } from './postal.js';
import { explain } from './problems.js';
import { sentTo } from './sent-to.js';
import { tab } from './store.js';
import { showThem, TicketGallery, ticketsFile } from './ticket.js';
import { waitTurn } from './turn.js';
import { say, sayWith } from './words.js';

const PATIENCE_MS = 5000; // a webhook is usually here by then
const SETTLING_MS = 10000; // the provider is away for minutes, if it is
const MOVING = new Set(['pending', 'paid']); // the next state comes within seconds
const LAST = 'charged_back';

const OVER = ['not-found', 'session-expired', 'hold-expired'];

/** What of a line is VAT, which its price includes. */
function vatNote({ vat_bp: rate, vat_minor: vat }, currency) {
  return rate
    ? h('small', { class: 'dim' }, ' ', say('order-vat', { rate: rate / 100, sum: money(vat, currency) }))
    : null;
}

function reference(what, id) {
  return h('p', { class: 'dim small reference' }, `${what} `, h('code', {}, id), copyButton(id, say('order-copy')));
}

class OrderView {
  /** `event`: null where it could not be read. */
  constructor(order, event, signal) {
    this.id = order.order;
    this.event = event;
    this.dated = Boolean(event?.starts_at);
    this.timeZone = event?.time_zone;
    this.signal = signal;
    this.since = nowMs();
    this.pace = new Pace();
    this.title = h('h1', {});
    this.words = h('div', { role: 'status', class: 'words' });
    this.turn = h('div', {});
    this.body = h('div', {});
    this.clock = h('b', {});
    const moment = (at) => dateText(at, this.timeZone);
    this.gallery = new TicketGallery(order.order, signal, { moment });
    this.element = h('section', { class: 'card narrow' }, this.title, this.words, this.turn, this.body);
    this.update(order);
  }

  read(options) {
    return get(getOrder(this.id), { token: authToken(), signal: this.signal, ...options });
  }

  /** Shows the order, where something of it changed. */
  update(order) {
    this.order = order;
    this.settling = isSettling(order, nowMs());
    const { title, notices } = orderWords(order, nowMs());
    this.showTickets();
    const summary = this.summary();
    if (summary === this.shown) return;
    this.shown = summary;
    this.title.textContent = title;
    document.title = `${title} – Fairgate`;
    announce([`${title}.`, ...notices.map(([, text]) => text)].join(' '));
    show(
      this.words,
      notices.map(([kind, text]) => notice(kind, text))
    );
    show(this.body, this.content(order));
  }

  /** All that the page shows of the order but its tickets, to tell whether it has changed. */
  summary() {
    const { title, notices } = orderWords(this.order, nowMs());
    const { state, email, mailed_at: mailed, tickets, cancellation, transfer, postal_address: postal } = this.order;
    const terms = [cancellation, transfer, this.order.invoice, mailed];
    return JSON.stringify([state, email, postal, tickets, title, notices, terms]);
  }

  showTickets() {
    const { state, tickets, ticket_labels: labels, transfer } = this.order;
    if (state === 'ticketed') this.gallery.update(tickets, labels, transfer?.tickets);
    else this.gallery.update(0);
  }

  /** Takes what was done on this page for shown: what stands beside it stays. */
  changedHere(ticket, fields) {
    this.order = { ...this.order, transfer: withChange(this.order.transfer, ticket, fields) };
    this.shown = this.summary();
    this.showTickets();
    this.paceChanged = true;
    wakeAll();
  }

  content(order) {
    const asked = this.event && contact(this.event);
    const event = order.event;
    const own = order.state === 'ticketed' && order.tickets;
    const parts = [own ? showThem(order.tickets) : null, this.mailed(order), this.files(order, own)];
    if (this.gallery.element.firstChild) parts.push(this.gallery.element);
    if (order.state === 'pending' && !this.settling) parts.push(this.pending(order));
    parts.push(
      h('h2', {}, say('order-heading')),
      h(
        'ul',
        { class: 'units' },
        order.lines.map((line) =>
          h(
            'li',
            {},
            h('span', {}, lineLabel(line), vatNote(line, order.currency)),
            h('span', { class: 'price' }, money(line.price_minor * line.quantity, order.currency))
          )
        )
      ),
      h(
        'p',
        { class: 'total' },
        h('span', {}, say('panel-total')),
        h('b', {}, money(order.total_minor, order.currency))
      ),
      returnedLines(order),
      order.postal_address &&
        (order.state !== 'pending' || this.settling) &&
        h(
          'p',
          { class: 'dim small' },
          sayWith('order-postal', { address: h('b', {}, postalLine(order.postal_address)) })
        ),
      reference(say('order-heading'), order.order),
      order.payment && reference(say('order-payment'), order.payment),
      asked && h('p', { class: 'dim small' }, asked)
    );
    if (order.transfer && order.state === 'ticketed') {
      parts.push(
        passBox(order.order, order.transfer, this.timeZone, this.signal, (...what) => this.changedHere(...what))
      );
    }
    if (order.cancellation) parts.push(cancelBox(order, this.timeZone, this.signal, (now) => this.update(now)));
    const back = h('a', { class: 'button', href: links.event(event) }, say('page-to-event'));
    if (!MOVING.has(order.state)) parts.push(back);
    return parts;
  }

  /** Names the address of the order's mails; of tickets that were mailed it can be changed here. */
  mailed({ state, email, mailed_at: at, ...order }) {
    if (!email || (state === 'pending' && !this.settling)) return null;
    if (state === 'ticketed' && at) return sentTo({ email, ...order }, this.signal, (now) => this.update(now));
    return h('p', { class: 'dim small' }, sayWith('order-mails-to', { email: h('b', {}, email) }));
  }

  /** Saves all tickets in one file, the date and the invoice, as far as there are any. */
  files({ order, invoice }, own) {
    const ask = (operation) => [operation(order), { token: authToken() }];
    const files = [
      own && ticketsFile(order),
      own && this.dated && { label: say('order-calendar'), name: 'event.ics', ask: ask(getOrderCalendar) },
      invoice && { label: say('order-invoice'), name: `invoice-${order}.pdf`, ask: ask(getInvoicePdf) }
    ].filter(Boolean);
    return files.length ? fileButtons(files, this.signal) : null;
  }

  /** Says after a moment that an order is unpaid: leaving the payment page leaves no trace. A decline is said above. */
  pending(order) {
    const again = { class: 'primary', onclick: () => this.again(order, retry) };
    const retry = h('button', again, say('order-to-payment'));
    this.unpaid = h('div', { hidden: nowMs() - this.since < PATIENCE_MS }, notice('warn', say('order-unpaid')));
    return h(
      'div',
      {},
      !hasFailed(order) && [this.unpaid, h('p', {}, sayWith('order-held-for', { clock: this.clock }))],
      this.addressForm(order),
      h('div', { class: 'buttons' }, retry, this.giveBackButton(order))
    );
  }

  /** Shows where the tickets go and the buyer's address, which may be changed until the order is paid. */
  addressForm(order) {
    const { email, postal_address: address } = this.typed ?? order;
    this.email = emailInput(email);
    this.postal = address ? new PostalFields(address) : null;
    const button = h('button', { type: 'submit' }, say('order-change-address'));
    const summary = h('summary', {}, h('span', {}, sayWith('order-tickets-go-to', { email: h('b', {}, order.email) })));
    const mark = () => {
      const same = this.buyer.email === order.email && !this.postal?.differsFrom(order.postal_address);
      this.typed = same ? undefined : this.buyer;
      button.disabled = same;
    };
    mark();
    const send = async (submitted) => {
      submitted.preventDefault();
      button.disabled = true;
      this.explainNothing();
      try {
        const basket = await Basket.live(order.event, this.signal);
        const { order: now } = await basket.checkout(this.buyer);
        this.typed = undefined;
        tab.set('email', now.email);
        const { email: kept, postal_address: postal, last_attempt: attempt } = now;
        this.update({ ...this.order, email: kept, postal_address: postal, last_attempt: attempt });
        this.folded.querySelector('summary').focus(); // the button is gone
        announce(say('order-address-changed'));
      } catch (error) {
        button.disabled = false;
        this.explainAgain(error);
      }
    };
    const fields = [field(say('checkout-email'), this.email), this.postal?.element];
    const form = h('form', { onsubmit: send, oninput: mark }, fields, button);
    const line = order.postal_address && h('p', { class: 'dim small' }, h('bdi', {}, postalLine(order.postal_address)));
    this.folded = h('details', { open: Boolean(this.typed) }, summary, line, form);
    return this.folded;
  }

  /** What is typed of the buyer. */
  get buyer() {
    return { email: this.email.value.trim(), postal_address: this.postal?.value };
  }

  explainNothing() {
    explainAt(this.email);
    this.postal?.clear();
  }

  async again(order, button) {
    button.disabled = true;
    this.explainNothing();
    try {
      const basket = await Basket.live(order.event, this.signal);
      await pay(order.event, basket, this.buyer, (error) => waitTurn(this.turn, error, this.signal));
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      this.explainAgain(error);
    }
  }

  explainAgain(error) {
    if (error.fields?.field === 'email') {
      this.folded.open = true;
      explainAt(this.email, explain(error));
    } else if (!this.postal?.explain(error)) {
      show(this.words, notice('bad', OVER.includes(error.code) ? say('order-too-late') : explain(error)));
      this.pace.restart();
    }
  }

  giveBackButton(order) {
    // Asked once, it stays asked: the page reads the order again between two clicks.
    const button = h('button', { class: 'quiet' }, say(this.sure ? 'order-give-back-really' : 'order-give-back'));
    const ask = () => {
      this.sure = true;
      button.textContent = say('order-give-back-really');
    };
    askTwice(button, { asked: this.sure, ask, act: () => this.giveBack(order, button) });
    return button;
  }

  async giveBack(order, button) {
    button.disabled = true;
    try {
      await (await Basket.live(order.event, this.signal)).giveBack();
    } catch (error) {
      button.disabled = false;
      this.explainKept(error);
      return;
    }
    tab.set(`order:${order.event}`, null);
    const now = await this.read().catch(() => null);
    // A payment had come, and goes back: that is to be seen.
    if (now?.refund) this.update(now);
    else location.hash = links.event(order.event);
  }

  /** Says why the seats are not given back, and looks soon what came of it. */
  explainKept(error) {
    if (error.code === 'wrong-state' && error.fields.state === 'finalised') {
      show(this.words, notice('good', say('order-paid-meanwhile')));
    } else {
      const kind = error.fields?.settling_until ? 'warn' : 'bad';
      show(this.words, notice(kind, OVER.includes(error.code) ? say('order-too-late') : explain(error)));
    }
    this.pace.restart();
  }

  tick() {
    this.update(this.order); // its time to pay may have ended since
    if (this.order.expires_at) this.clock.textContent = clockText(secondsUntil(this.order.expires_at));
    if (this.unpaid) this.unpaid.hidden = nowMs() - this.since < PATIENCE_MS;
  }

  /** Milliseconds until the next look. */
  nextLookMs() {
    const { state, transfer } = this.order;
    if (!MOVING.has(state)) return ticketsPauseMs(isOffered(transfer));
    return this.settling ? seldomMs(SETTLING_MS) : this.pace.next();
  }

  /** Follows the order until its last state; what is settled rests with a hidden page. */
  async follow() {
    while (!this.signal.aborted && this.order.state !== LAST) {
      this.tick();
      this.paceChanged = false;
      await nap(this.nextLookMs(), this.signal);
      if (this.paceChanged) continue; // what was done here is known, and others may act on it soon
      if (!MOVING.has(this.order.state) && document.visibilityState === 'hidden') continue;
      try {
        const before = this.shown;
        this.update(await this.read());
        if (this.shown !== before) this.pace.restart();
      } catch (error) {
        if (error.name === 'AbortError') return;
        if (!mayPass(error)) throw error;
        await nap((error.retryAfterS || 2) * 1000, this.signal);
      }
    }
  }

  /** Says why the order is followed no more. What the page shows stays: tickets may be needed at a door. */
  explainEnd(error) {
    const leave = () => signIn().catch((problem) => this.explainEnd(problem));
    const again = h('button', { onclick: leave }, say('sign-in-again'));
    if (error.signedOut) show(this.words, notice('warn', sayWith('order-no-news', { again })));
    else show(this.words, notice('bad', explain(error)));
  }
}

export async function open(signal, id) {
  const order = await get(getOrder(id), { token: authToken(), retry: true, signal });
  const event = await loadEvent(order.event, signal).catch(() => null);
  signal.throwIfAborted();
  if (event) dress(event, id);
  const view = new OrderView(order, event, signal);
  const line = (text) => text && h('p', { class: 'dim narrow-line' }, text);
  const where = event && placeText(event);
  const left = order.tickets + order.void.length; // none where all were passed on
  const about = event && [
    line(
      left ? sayWith('order-places', { event: h('bdi', {}, event.name) }, { count: left }) : h('bdi', {}, event.name)
    ),
    line(event.starts_at && dateText(event.starts_at, event.time_zone)),
    line(where && h('bdi', {}, where))
  ];
  showPage(orderWords(order, nowMs()).title, about, view.element);
  const timer = setInterval(() => view.tick(), 500);
  signal.addEventListener('abort', () => clearInterval(timer));
  view.follow().catch((error) => view.explainEnd(error));
}
