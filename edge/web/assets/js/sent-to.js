// Where the tickets of a paid order were mailed, and how its buyer has them mailed to another address.

import { post } from './api.js';
import { authToken } from './auth.js';
import { announce, emailInput, explainAt, field, h, notice, show } from './dom.js';
import { changeOrderEmail } from './operations.js';
import { explain } from './problems.js';
import { say, sayWith } from './words.js';

/** Names the address; `changed` is told the order once its tickets are mailed again. */
export function sentTo({ order, email, tickets }, signal, changed) {
  const line = h('span', {}, sayWith('order-sent-to', { email: h('b', {}, email) }));
  if (!tickets) return h('p', { class: 'dim small' }, line);
  const control = emailInput(email);
  const said = h('div', { role: 'status' });
  const button = h('button', { type: 'submit' }, say('order-send-there'));
  const send = async (submitted) => {
    submitted.preventDefault();
    button.disabled = true;
    explainAt(control);
    show(said);
    try {
      const wish = { email: control.value.trim() };
      // Not again by itself: each one that is answered sends a mail.
      const now = await post(changeOrderEmail(order), wish, { token: authToken(), signal, retry: false });
      folded.open = false;
      changed(now);
      announce(say('order-sent-now', { email: now.email }));
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (error.fields?.field === 'email') explainAt(control, explain(error));
      else show(said, notice('warn', error.code === 'too-many-requests' ? say('order-sent-often') : explain(error)));
    } finally {
      button.disabled = false;
    }
  };
  const folded = h(
    'details',
    {},
    h('summary', {}, say('order-send-again')),
    h('form', { onsubmit: send }, field(say('checkout-email'), control), button, said)
  );
  return h('div', { class: 'sent-to small' }, h('p', {}, line), folded);
}
