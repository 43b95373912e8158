// Who has lost their tickets types the mail address of the order, and gets a mail with a link.

import { post } from './api.js';
import { announce, emailInput, explainAt, field, h, notice, show } from './dom.js';
import { plural } from './format.js';
import { links } from './links.js';
import { mailTicketLink } from './operations.js';
import { showCard } from './page.js';
import { explain } from './problems.js';

const TITLE = 'Find my tickets';
const HOUR_S = 3600;

/** What was done, which is the same for every address. */
function showAsked(email, { valid_s: valid, mails_max: most, within_s: within }, signal) {
  const title = 'Look into your mailbox';
  const period = within === HOUR_S ? 'an hour' : plural(Math.round(within / HOUR_S), 'hour');
  showCard(
    title,
    title,
    h('p', {}, 'If anything was bought with ', h('b', {}, email), ', a mail is on its way there.'),
    h(
      'p',
      {},
      `Its link shows the orders and tickets, and works for ${plural(Math.round(valid / HOUR_S), 'hour')}. `,
      'No mail after some minutes? Please look among unwanted mail, and try the other addresses that you have.'
    ),
    h('p', { class: 'dim small' }, `An address is sent ${most} mails ${period} at most.`),
    h(
      'div',
      { class: 'buttons' },
      h('button', { onclick: () => open(signal) }, 'Try another address'),
      h('a', { class: 'button', href: links.events }, 'All events')
    )
  );
  announce(`${title}.`);
}

export async function open(signal) {
  const problem = h('div', { role: 'alert' });
  const email = emailInput();
  const button = h('button', { class: 'primary big', type: 'submit' }, 'Send me the link');
  const send = async (submitted) => {
    submitted.preventDefault();
    button.disabled = true;
    show(problem);
    explainAt(email);
    const typed = email.value.trim();
    try {
      showAsked(typed, await post(mailTicketLink(), { email: typed }, { retry: false, signal }), signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      button.disabled = false;
      if (error.fields?.field === 'email') explainAt(email, explain(error));
      else show(problem, notice('bad', explain(error)));
    }
  };
  showCard(
    TITLE,
    TITLE,
    h('p', {}, 'Type the e-mail address that you gave when you ordered. We send a link to your tickets there.'),
    h('form', { onsubmit: send }, field('E-mail of the order', email), problem, button),
    h(
      'p',
      { class: 'dim small' },
      'You need no sign-in for it. If you can sign in as before, you find everything under ',
      h('a', { href: links.orders }, 'My orders'),
      '.'
    )
  );
}
