// Taking a ticket over by the link of its offer: first what it is, then one button.

import { newKey, post } from './api.js';
import { authToken } from './auth.js';
import { loadEvent } from './catalog.js';
import { announce, h, notice, show } from './dom.js';
import { dateText } from './format.js';
import { links } from './links.js';
import { acceptTicket } from './operations.js';
import { showCard } from './page.js';
import { explain } from './problems.js';

const EXPLAINED = ['wrong-state', 'not-found', 'limit-exceeded', 'malformed-input'];
const NONE = 'No ticket by this link';
const OWN = 'This is the link to your own ticket';
const NO_LINK = 'This link is not whole. Please ask the person who sent it to you.';

export async function open(signal, token) {
  const ask = (more) => post(acceptTicket(), { token, ...more }, { token: authToken(), key: newKey(), signal });
  let offer;
  try {
    offer = await ask({ look: true });
  } catch (error) {
    if (!EXPLAINED.includes(error.code)) throw error;
    const own = error.fields.reason === 'own';
    refused(own ? OWN : NONE, error.code === 'malformed-input' ? NO_LINK : explain(error));
    return;
  }
  if (offer.ticket)
    location.replace(links.held(offer.order)); // it was accepted before
  else shown(offer, await loadEvent(offer.event, signal, { retry: false }).catch(() => null), ask);
}

function refused(title, text) {
  const orders = h('a', { class: 'button', href: links.orders }, 'My orders');
  showCard(title, title, notice('warn', text), h('div', { class: 'buttons' }, orders));
}

function shown(offer, event, ask) {
  const title = 'A ticket for you';
  const said = h('div', { role: 'status' });
  const button = h('button', { class: 'primary' }, 'Take this ticket');
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const taken = await ask({});
      announce('The ticket is yours.');
      location.replace(links.held(taken.order)); // going back would open the offer again
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      show(said, notice('bad', explain(error)));
    }
  });
  showCard(
    title,
    title,
    h('p', { class: 'lead' }, offer.event_name || 'A ticket'),
    h('p', {}, h('b', {}, offer.label)),
    h(
      'p',
      {},
      'Somebody passes this ticket on to you. Once you take it, it has a new code, which is yours alone. ' +
        'It counts as one of the places that you may have at this event.'
    ),
    h('p', { class: 'dim small' }, `The offer is good until ${dateText(offer.until, event?.time_zone)}.`),
    said,
    h('div', { class: 'buttons' }, button)
  );
}
