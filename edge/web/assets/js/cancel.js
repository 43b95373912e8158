// Giving an order back, or one of its places: what it brings is said before anything is done.

import { newKey, post } from './api.js';
import { authToken } from './auth.js';
import { nowMs } from './clock.js';
import { announce, h, notice, show } from './dom.js';
import { dateText, money } from './format.js';
import { placeLabel } from './labels.js';
import { cancelOrder } from './operations.js';
import { askTwice } from './parts.js';
import { explain } from './problems.js';
import { say } from './words.js';

/** Lists what was given back alone: nothing where nothing was. */
export function returnedLines(order) {
  if (!order.returned.length) return null;
  return h(
    'ul',
    { class: 'units returned' },
    order.returned.map(({ label, amount_minor: amount, fee_minor: fee }) =>
      h(
        'li',
        {},
        h(
          'span',
          {},
          say('cancel-given-back', { label: placeLabel(label) }),
          fee ? h('span', { class: 'dim' }, say('cancel-fee', { sum: money(fee, order.currency) })) : null
        ),
        h('span', { class: 'price' }, `−${money(amount, order.currency)}`)
      )
    )
  );
}

/** What may be given back, behind a heading that says until when. */
export function cancelBox(order, timeZone, signal, shown) {
  const { until, places, refund_minor: whole } = order.cancellation;
  if (whole === null && !places.length) return null; // others have all of it
  if (Date.parse(until) <= nowMs()) {
    return h('p', { class: 'dim small' }, say('cancel-ended', { date: dateText(until, timeZone) }));
  }
  const said = h('div', { role: 'status' });
  const choices =
    places.length > 1 || whole === null ? places.map((place) => choice(order, place, signal, shown, said)) : [];
  return h(
    'details',
    { class: 'cancel' },
    h('summary', {}, headingOf(whole, choices.length)),
    h('p', {}, say('cancel-how', { date: dateText(until, timeZone) })),
    said,
    h('ul', { class: 'units' }, choices, whole !== null && choice(order, null, signal, shown, said))
  );
}

function headingOf(whole, choices) {
  if (whole === null) return say('cancel-heading-place');
  return say(choices ? 'cancel-heading-either' : 'cancel-heading-order');
}

/** One line with its button; what goes back stands on it, and a second click does it. */
function choice(order, place, signal, shown, said) {
  const { refund_minor: back, fee_minor: fee } = place || order.cancellation;
  const sum = money(back, order.currency);
  const feeText = fee && money(fee, order.currency);
  const kept = fee ? say('cancel-fee-kept', { sum: feeText }) : '';
  const what = place ? choiceText(place) : say('cancel-all-left', { count: order.tickets });
  const key = newKey(); // one for each choice: sent again, it is done once
  const text = say('cancel-button', { sum });
  const name = say('cancel-of', { button: text, what }); // begins with what is seen, for who speaks it
  const button = h('button', { 'aria-label': name }, text);
  const ask = () => {
    button.textContent = fee ? say('cancel-really-fee', { sum, fee: feeText }) : say('cancel-really', { sum });
    button.setAttribute('aria-label', `${button.textContent}. ${name}`);
    button.classList.add('danger');
  };
  const act = async () => {
    button.disabled = true;
    try {
      const body = place ? { ticket: place.tickets[0] } : {};
      shown(await post(cancelOrder(order.order), body, { token: authToken(), key, signal }));
      announce(say('cancel-done', { what }));
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      show(said, notice('bad', explain(error)));
    }
  };
  askTwice(button, { ask, act });
  return h(
    'li',
    { class: 'choice' },
    h('span', {}, what, kept ? h('span', { class: 'dim small' }, kept) : null),
    button
  );
}

function choiceText({ label, places }) {
  return say('cancel-place', { label: placeLabel(label), count: places });
}
