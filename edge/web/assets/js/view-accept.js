// Taking a ticket over by the link of its offer: first what it is, then one button.

import { newKey, post } from './api.js';
import { authToken } from './auth.js';
import { loadEvent } from './catalog.js';
import { announce, h, notice, show } from './dom.js';
import { dateText } from './format.js';
import { placeLabel } from './labels.js';
import { links } from './links.js';
import { acceptTicket } from './operations.js';
import { showCard } from './page.js';
import { explain } from './problems.js';
import { say } from './words.js';

const EXPLAINED = ['wrong-state', 'not-found', 'limit-exceeded', 'malformed-input'];

/** Says what is wrong with an offer; whose time is over has somebody who can renew it. */
function wordsOf(error) {
  if (error.code === 'malformed-input') return say('accept-not-whole');
  return error.fields?.reason === 'too-late' ? say('accept-too-late') : explain(error);
}

export async function open(signal, token) {
  const ask = (more) => post(acceptTicket(), { token, ...more }, { token: authToken(), key: newKey(), signal });
  let offer;
  try {
    offer = await ask({ look: true });
  } catch (error) {
    if (!EXPLAINED.includes(error.code)) throw error;
    const own = error.fields.reason === 'own';
    refused(say(own ? 'accept-own' : 'accept-none'), wordsOf(error));
    return;
  }
  if (offer.ticket) {
    location.replace(links.held(offer.order)); // it was accepted before
    return;
  }
  const event = await loadEvent(offer.event, signal, { retry: false }).catch(() => null);
  signal.throwIfAborted();
  shown(offer, event, ask);
}

function refused(title, text) {
  const orders = h('a', { class: 'button', href: links.orders }, say('page-my-orders'));
  showCard(title, title, notice('warn', text), h('div', { class: 'buttons' }, orders));
}

function shown(offer, event, ask) {
  const title = say('accept-title');
  const said = h('div', { role: 'status' });
  const button = h('button', { class: 'primary' }, say('accept-take'));
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const taken = await ask({});
      announce(say('accept-taken'));
      location.replace(links.held(taken.order)); // going back would open the offer again
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      show(said, notice('bad', wordsOf(error)));
    }
  });
  showCard(
    title,
    title,
    h('p', { class: 'lead' }, h('bdi', {}, offer.event_name || say('accept-ticket'))),
    h('p', {}, h('b', {}, placeLabel(offer.label))),
    h('p', {}, say('accept-text')),
    h('p', { class: 'dim small' }, say('accept-until', { date: dateText(offer.until, event?.time_zone) })),
    said,
    h('div', { class: 'buttons' }, button)
  );
}
