// Whom an event is open to, said before the waiting room. The service decides when a buyer is let in
// (layers/core/python/fairgate/domain/catalog/eligibility.py).

import { nowMs } from './clock.js';
import { dateText, listText, plural } from './format.js';

const DAY_MS = 86400000;

const membersOf = (event) => (event.members || '').split(',').map((name) => name.trim());
const isPresale = (event) => Boolean(event.members) && (event.members_until || '9') > new Date(nowMs()).toISOString();

/** Returns what an account needs to buy here now, a sentence each. */
export function requirements(event) {
  const texts = [];
  if (isPresale(event)) {
    const until = event.members_until && dateText(event.members_until, event.time_zone);
    const names = listText(membersOf(event));
    texts.push(
      until
        ? `Until ${until}, only members may buy tickets (${names}). Then the sale opens for everybody.`
        : `Only members may buy tickets (${names}).`
    );
  }
  if (event.verified_phone) texts.push('Your account needs a verified phone number.');
  if (event.account_days) texts.push(`Your account has to be at least ${plural(event.account_days, 'day')} old.`);
  if (event.address_limit) {
    texts.push(`One postal address may have at most ${plural(event.address_limit, 'place')} in all orders.`);
  }
  if (event.card_limit) {
    texts.push(`One payment card may pay for at most ${plural(event.card_limit, 'place')} in all orders.`);
  }
  return texts;
}

/** Returns why this account cannot buy here now, '' if it can. The account of a sign-in of before is not known. */
export function refusal(event, account) {
  if (!account) return '';
  if (event.verified_phone && !account.verified_phone) {
    return (
      'Your account has no verified phone number, so you cannot buy tickets for this event. ' +
      'Please verify your number where you sign in, then sign out here and sign in again.'
    );
  }
  const newest = new Date(nowMs() - (event.account_days || 0) * DAY_MS).toISOString().slice(0, 10);
  if (event.account_days && !(account.since && account.since <= newest)) {
    const old = `Accounts for this event have to be at least ${plural(event.account_days, 'day')} old`;
    return account.since
      ? `${old}. Yours was made on ${account.since}, so you cannot buy tickets for it.`
      : `${old}, and your sign-in does not say how old yours is. So you cannot buy tickets for this event.`;
  }
  if (isPresale(event) && !membersOf(event).some((name) => account.memberships.includes(name))) {
    return event.members_until
      ? `Your account is no member. Please come back at ${dateText(event.members_until, event.time_zone)}: ` +
          'coming earlier gains nothing.'
      : 'Your account is no member, so you cannot buy tickets for this event.';
  }
  return '';
}
