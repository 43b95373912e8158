// Tickets of an order of somebody else, which were passed on to the one who looks.

import { ApiProblem, get } from './api.js';
import { authToken } from './auth.js';
import { dress } from './brand.js';
import { loadEvent } from './catalog.js';
import { h, nap, notice, show, wakeAll } from './dom.js';
import { fileButtons } from './files.js';
import { dateText, listText, placeText } from './format.js';
import { placeLabel } from './labels.js';
import { links } from './links.js';
import { listHeldTickets } from './operations.js';
import { ticketsPauseMs } from './pace.js';
import { showPage } from './page.js';
import { isOffered, passBox, withChange } from './passing.js';
import { showThem, TicketGallery, ticketsFile } from './ticket.js';
import { say } from './words.js';

/** What became of tickets that admit nobody, or null. */
function wordsOf({ good, event_cancelled: cancelled, transfer }, own) {
  if (cancelled) return notice('warn', say('held-cancelled'));
  if (!good) return notice('warn', say('held-not-now'));
  const void_ = transfer.tickets.filter(({ state }) => state === 'void').map(({ label }) => placeLabel(label));
  if (void_.length) return notice('warn', say('held-void', { labels: listText(void_) }));
  return own ? null : notice('info', say('held-passed-on'));
}

async function read(id, signal, retry = true) {
  const { orders } = await get(listHeldTickets(), { token: authToken(), retry, signal });
  const held = orders.find(({ order }) => order === id);
  if (!held) throw new ApiProblem(404, { code: 'not-found' }, null);
  return held;
}

class HeldView {
  constructor(id, event, signal) {
    this.id = id;
    this.event = event;
    this.signal = signal;
    this.gallery = new TicketGallery(id, signal, { moment: (at) => dateText(at, event?.time_zone) });
    this.element = h('section', { class: 'card narrow' });
  }

  get own() {
    return this.held.transfer.tickets.filter(({ state }) => ['good', 'offered'].includes(state));
  }

  get title() {
    return say('held-title', { count: this.own.length });
  }

  showTickets() {
    const { good, transfer } = this.held;
    const labels = this.own.map(({ label }) => label);
    this.gallery.update(good ? labels.length : 0, labels, transfer.tickets);
  }

  /** Shows the tickets, where something of them changed. */
  update(held) {
    this.held = held;
    this.showTickets();
    const summary = JSON.stringify(held);
    if (summary === this.shown) return;
    this.shown = summary;
    const { good, transfer } = held;
    const count = this.own.length;
    const changed = (ticket, fields) => {
      this.held = { ...this.held, transfer: withChange(this.held.transfer, ticket, fields) };
      this.shown = JSON.stringify(this.held);
      this.showTickets();
      this.paceChanged = true;
      wakeAll();
    };
    show(
      this.element,
      h('h1', {}, this.title),
      wordsOf(held, count),
      good && count ? [showThem(count), fileButtons([ticketsFile(this.id)], this.signal)] : null,
      this.gallery.element,
      good && passBox(this.id, transfer, this.event?.time_zone, this.signal, changed),
      h('a', { class: 'button', href: links.orders }, say('page-my-orders'))
    );
  }

  /** Looks for news until the page ends or the sign-in does; what is shown stays. */
  async follow() {
    while (!this.signal.aborted) {
      this.paceChanged = false;
      await nap(ticketsPauseMs(isOffered(this.held.transfer)), this.signal);
      if (this.paceChanged) continue;
      if (document.visibilityState === 'hidden') continue;
      try {
        this.update(await read(this.id, this.signal, false));
      } catch (error) {
        if (error.name === 'AbortError' || (error.status < 500 && error.status !== 429)) return;
      }
    }
  }
}

export async function open(signal, id) {
  const held = await read(id, signal);
  const event = await loadEvent(held.event, signal).catch(() => null);
  signal.throwIfAborted();
  if (event) dress(event, id);
  const view = new HeldView(id, event, signal);
  view.update(held);
  const line = (text) => text && h('p', { class: 'dim narrow-line' }, text);
  const where = event && placeText(event);
  const about = event && [
    line(h('bdi', {}, event.name)),
    line(event.starts_at && dateText(event.starts_at, event.time_zone)),
    line(where && h('bdi', {}, where))
  ];
  showPage(view.title, about, view.element);
  view.follow();
}
