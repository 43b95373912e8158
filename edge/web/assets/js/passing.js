// Passing a ticket on: its holder gets a link, and the person who opens it gets the ticket, with a new code.

import { newKey, post, remove } from './api.js';
import { authToken } from './auth.js';
import { nowMs } from './clock.js';
import { announce, h, notice, show } from './dom.js';
import { dateText } from './format.js';
import { placeLabel } from './labels.js';
import { offerTicket, withdrawOffer } from './operations.js';
import { copyButton } from './parts.js';
import { explain } from './problems.js';
import { say } from './words.js';

/** Whether a ticket waits for somebody to take it: then news of it may come at any moment. */
export const isOffered = (transfer) => Boolean(transfer?.tickets.some(({ state }) => state === 'offered'));

/** Returns what a ticket list becomes by what was done here. */
export const withChange = (transfer, id, fields) => ({
  ...transfer,
  tickets: transfer.tickets.map((one) => (one.ticket === id ? { ...one, ...fields } : one))
});

/** What may be passed on, behind a heading. `changed` is told what was done here: ticket, fields. */
export function passBox(order, transfer, timeZone, signal, changed) {
  const { until, tickets } = transfer;
  const moment = (at) => dateText(at, timeZone);
  const own = tickets.filter(({ state }) => ['good', 'offered'].includes(state));
  if (!own.length) return null;
  if (Date.parse(until) <= nowMs()) {
    return h('p', { class: 'dim small' }, say('transfer-ended', { date: moment(until) }));
  }
  const said = h('div', { role: 'status' });
  return h(
    'details',
    { class: 'cancel', open: isOffered(transfer) },
    h('summary', {}, say('transfer-heading')),
    h('p', {}, say('transfer-how', { date: moment(until) })),
    h('p', { class: 'dim small' }, say('transfer-money')),
    said,
    h(
      'ul',
      { class: 'units' },
      own.map((ticket) => row(order, ticket, { moment, signal, said, changed }))
    )
  );
}

function row(order, ticket, about) {
  const { moment, signal, said, changed } = about;
  const place = h('span', {}, placeLabel(ticket.label));
  const buttons = h('span', { class: 'buttons' });
  const line = h('li', { class: 'choice' }, place, buttons);
  const key = newKey(); // one for each ticket that is shown: sent again, it is offered once
  const act = async (button, once) => {
    button.disabled = true;
    try {
      await once();
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      show(said, notice('bad', explain(error)));
    }
  };
  const offer = (button, kept) =>
    act(button, async () => {
      const options = { token: authToken(), signal, ...(kept ? { key } : {}) };
      const made = await post(offerTicket(order, ticket.ticket), {}, options);
      const link = linkOf(made, moment);
      changed(ticket.ticket, { state: 'offered', offered_until: made.until });
      line.append(link);
      button.remove();
      link.querySelector('button').focus(); // what was pressed is gone
      announce(say('transfer-here'));
    });
  const withdraw = (button) =>
    act(button, async () => {
      await remove(withdrawOffer(order, ticket.ticket), { token: authToken(), signal });
      announce(say('transfer-withdrawn'));
      const now = { state: 'good', offered_until: null };
      changed(ticket.ticket, now);
      const renewed = row(order, { ...ticket, ...now }, about);
      line.replaceWith(renewed);
      renewed.querySelector('button').focus();
    });
  if (ticket.state === 'good') {
    const pass = named(say('transfer-pass'), ticket);
    pass.addEventListener('click', () => offer(pass, true).then(() => show(buttons, withdrawButton())));
    show(buttons, pass);
    return line;
  }
  const again = named(say('transfer-show-link'), ticket);
  again.addEventListener('click', () => offer(again, false));
  place.append(
    h('span', { class: 'dim small' }, say('transfer-offered-until', { date: moment(ticket.offered_until) }))
  );
  show(buttons, again, withdrawButton());
  return line;

  function withdrawButton() {
    const name = say('transfer-withdraw-of', { label: placeLabel(ticket.label) });
    const button = h('button', { 'aria-label': name }, say('transfer-withdraw'));
    button.addEventListener('click', () => withdraw(button));
    return button;
  }
}

/** A button about one ticket of several. */
const named = (what, { label }) =>
  h('button', { 'aria-label': say('transfer-of', { what, label: placeLabel(label) }) }, what);

/** The link, to be copied, and until when it is good. */
function linkOf({ link, until }, moment) {
  const name = say('transfer-link');
  const text = h('input', { type: 'text', dir: 'ltr', readonly: true, value: link, 'aria-label': name });
  text.addEventListener('focus', () => text.select());
  return h(
    'div',
    { class: 'offer' },
    text,
    copyButton(link, say('transfer-copy'), () => text.select()),
    h('p', { class: 'dim small' }, say('transfer-good-until', { date: moment(until) }))
  );
}
