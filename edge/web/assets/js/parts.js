// Small parts that several pages show.

import { secondsUntil } from './clock.js';
import { announce, h } from './dom.js';
import { countdownParts, money } from './format.js';
import { say } from './words.js';

const SHOWN = ['paused', 'soldout', 'closed', 'cancelled'];

/** A button that copies a text; `select` marks the text, so that it can be copied by hand. */
export function copyButton(text, label, select = () => {}) {
  const button = h('button', { class: 'quiet' }, label);
  button.addEventListener('click', async () => {
    select();
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = say('part-copied');
    } catch {
      button.textContent = say('part-copy-yourself');
    }
    announce(button.textContent);
  });
  return button;
}

/** Whether the sale is over, for waiting buyers, too. */
export const isOver = (event) => ['soldout', 'closed', 'cancelled'].includes(event.state);

/** Whether the sale is still to start; one that is over before that does not. */
export const comesUp = (event) => !isOver(event) && secondsUntil(event.sale_starts_at) > 0;

/**
 * Has a button `act` when it is pressed again after it did `ask`: by itself, for a double click and a held key have
 * read nothing.
 */
export function askTwice(button, { asked = false, ask, act }) {
  button.addEventListener('keydown', (event) => event.repeat && event.preventDefault());
  button.addEventListener('click', ({ detail: clicks }) => {
    if (asked) {
      if (clicks < 2) act();
      return;
    }
    asked = true;
    ask();
    announce(button.textContent);
  });
}

/** The state of an event's sale, as a coloured word. */
export function badge(event) {
  const state = SHOWN.includes(event.state) ? event.state : comesUp(event) ? 'coming-up' : 'on-sale';
  return h('span', { class: `badge badge-${state}` }, say(`event-state-${state}`));
}

/** What stands under the event's name, in the list and on its page. */
export function underName(event, tag, attributes = {}) {
  const texts = [event.subtitle, event.artist].filter(Boolean);
  return texts.map((text) => h(tag, attributes, h('bdi', {}, text)));
}

/** Says which fees the prices of an event include, and which fee an order adds; null if there are none. */
export function feeNote({ fees, currency }) {
  if (!fees.order_minor && !fees.ticket_minor) return null;
  const texts = [
    fees.ticket_minor && say('event-fees-included'),
    fees.order_minor && say('event-fee-added', { fee: money(fees.order_minor, currency) })
  ];
  return h('p', { class: 'dim small' }, texts.filter(Boolean).join(' '));
}

/** The seconds until something, in boxes of days, hours, minutes and seconds. */
export function countdown(seconds) {
  const box = ([n, unit]) =>
    h(
      'span',
      { class: 'count' },
      h('b', {}, String(n).padStart(2, '0')),
      h('small', {}, say(`time-${unit}`, { count: n }))
    );
  return h('div', { class: 'countdown', role: 'timer' }, countdownParts(seconds).map(box));
}
