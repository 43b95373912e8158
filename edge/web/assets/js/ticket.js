// Tickets: pictures that only their owner may load, so they come by fetch, not by an address.

import { request } from './api.js';
import { authToken } from './auth.js';
import { h, show, showKept } from './dom.js';
import { fileButtons } from './files.js';
import { placeLabel } from './labels.js';
import {
  getFoundTicketPdf,
  getFoundTicketPng,
  getFoundTicketSvg,
  getTicketPdf,
  getTicketPng,
  getTicketSvg
} from './operations.js';
import { passFiles } from './wallet.js';
import { say } from './words.js';

/** How the files of an order's tickets are asked for by its owner's sign-in: [operation, options] each. */
const owned = {
  svg: (order, unit) => [getTicketSvg(order, { unit }), { token: authToken() }],
  png: (order, unit) => [getTicketPng(order, { unit }), { token: authToken() }],
  pdf: (order) => [getTicketPdf(order), { token: authToken() }]
};

/** The same by the token of a mailed link. */
export const mailed = (token) => ({
  svg: (order, unit) => [getFoundTicketSvg(order, { unit }), { body: { token } }],
  png: (order, unit) => [getFoundTicketPng(order, { unit }), { body: { token } }],
  pdf: (order) => [getFoundTicketPdf(order), { body: { token } }]
});

/** Says how codes are shown to those who scan them. */
export const showThem = (count) => h('p', {}, say('ticket-show', { count }));

/** All tickets of an order in one file, for `fileButtons`. */
export const ticketsFile = (order, ask = owned) => ({
  label: say('ticket-all-pdf'),
  name: `tickets-${order}.pdf`,
  ask: ask.pdf(order)
});

/** A frame for each ticket, which fills itself as it loads, and one for each that somebody else has now. */
export class TicketGallery {
  /** `moment` writes until when a ticket is offered. */
  constructor(order, signal, { ask = owned, moment } = {}) {
    this.order = order;
    this.signal = signal;
    this.ask = ask;
    this.moment = moment;
    this.element = h('ol', { class: 'tickets' });
  }

  /**
   * Shows so many tickets with their labels; `tickets` as Transfer of docs/api.md lists them, where they may be
   * passed on. A picture that stays valid is not loaded again.
   */
  update(count, labels = [], tickets = []) {
    const own = Array.from({ length: count }, (_, unit) => {
      const { ticket, state, offered_until: until } = tickets[unit] || {};
      const about = { unit, count, label: labels[unit] || '', offered: state === 'offered' ? until : null };
      return [JSON.stringify([ticket, about]), () => this.frame(about)];
    });
    const gone = tickets.filter(({ state }) => state === 'passed-on');
    showKept(this.element, [...own, ...gone.map((one) => [`gone ${one.ticket}`, () => passedOn(one)])]);
  }

  frame(about) {
    const frame = h('li', {});
    this.fill(frame, about);
    return frame;
  }

  async fill(frame, about) {
    const { unit, count, label, offered } = about;
    const name = say('ticket-number', { number: unit + 1, total: count });
    const head = h('p', { class: 'ticket-head' }, h('b', {}, name), label && h('span', {}, placeLabel(label)));
    show(frame, head, h('p', { class: 'loading' }, say('ticket-loading')));
    try {
      const [operation, options] = this.ask.svg(this.order, unit);
      const headers = { accept: 'image/svg+xml' };
      const { data } = await request(operation, { ...options, retry: true, signal: this.signal, headers });
      const src = 'data:image/svg+xml,' + encodeURIComponent(await data.text());
      const passes = this.ask === owned ? passFiles(this.order, unit, name) : null; // a ticket waits for none
      const picture = { label: say('ticket-save'), of: name, name: `ticket-${unit + 1}.png` };
      show(
        frame,
        head,
        offered && h('p', { class: 'ticket-state' }, say('ticket-offered', { date: this.moment(offered) })),
        h('img', { src, alt: say('ticket-picture', { name }), class: 'ticket' }),
        fileButtons([{ ...picture, ask: this.ask.png(this.order, unit) }], this.signal, passes)
      );
    } catch (error) {
      if (error.name === 'AbortError') return;
      const again = h('button', { onclick: () => this.fill(frame, about) }, say('ticket-load-again'));
      show(frame, head, h('p', {}, say('ticket-not-loaded', { name })), again);
    }
  }
}

function passedOn({ label }) {
  const state = h('p', { class: 'ticket-state' }, say('ticket-gone-text'));
  return h(
    'li',
    {},
    h('p', { class: 'ticket-head' }, h('b', {}, say('ticket-gone', { label: placeLabel(label) }))),
    state
  );
}
