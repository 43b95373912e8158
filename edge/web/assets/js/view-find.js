// Who has lost their tickets types the mail address of the order, and gets a mail with a link.

import { post } from './api.js';
import { announce, emailInput, explainAt, field, h, notice, show } from './dom.js';
import { links } from './links.js';
import { mailTicketLink } from './operations.js';
import { showCard } from './page.js';
import { explain } from './problems.js';
import { say, sayWith } from './words.js';

const HOUR_S = 3600;

/** What was done, which is the same for every address. */
function showAsked(email, { valid_s: valid, mails_max: most, within_s: within }, signal) {
  const title = say('find-sent');
  const hours = (seconds) => Math.round(seconds / HOUR_S);
  showCard(
    title,
    title,
    h('p', {}, sayWith('find-sent-to', { email: h('b', {}, email) })),
    h('p', {}, say('find-link', { hours: hours(valid) })),
    h('p', { class: 'dim small' }, say('find-most', { mails: most, hours: hours(within) })),
    h(
      'div',
      { class: 'buttons' },
      h('button', { onclick: () => open(signal) }, say('find-other')),
      h('a', { class: 'button', href: links.events }, say('page-all-events'))
    )
  );
  announce(`${title}.`);
}

export async function open(signal) {
  const problem = h('div', { role: 'alert' });
  const email = emailInput();
  const button = h('button', { class: 'primary big', type: 'submit' }, say('find-send'));
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
    say('find-title'),
    say('find-title'),
    h('p', {}, say('find-how')),
    h('form', { onsubmit: send }, field(say('find-email'), email), problem, button),
    h(
      'p',
      { class: 'dim small' },
      sayWith('find-no-sign-in', { orders: h('a', { href: links.orders }, say('page-my-orders')) })
    )
  );
}
