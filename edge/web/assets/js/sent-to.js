// Where the tickets of a paid order were mailed, and how its buyer has them mailed to another address.

import { post } from './api.js';
import { authToken } from './auth.js';
import { announce, emailInput, explainAt, field, h, notice, show } from './dom.js';
import { changeOrderEmail } from './operations.js';
import { explain } from './problems.js';

const SEVERAL_TIMES = 'You have had tickets sent several times today. Please try again tomorrow.';

/** Names the address; `changed` is told the order once its tickets are mailed again. */
export function sentTo({ order, email, tickets }, signal, changed) {
  const line = h('span', {}, 'Sent to ', h('b', {}, email), '. It may take some minutes.');
  if (!tickets) return h('p', { class: 'dim small' }, line);
  const control = emailInput(email);
  const said = h('div', { role: 'status' });
  const button = h('button', { type: 'submit' }, 'Send the tickets there');
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
      announce(`The tickets are mailed to ${now.email}.`);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (error.fields?.field === 'email') explainAt(control, explain(error));
      else show(said, notice('warn', error.code === 'too-many-requests' ? SEVERAL_TIMES : explain(error)));
    } finally {
      button.disabled = false;
    }
  };
  const folded = h(
    'details',
    {},
    h('summary', {}, 'Change it, or send them again'),
    h('form', { onsubmit: send }, field('E-mail for your tickets', control), button, said)
  );
  return h('div', { class: 'sent-to small' }, h('p', {}, line), folded);
}
