// Whom an event is open to, said before the waiting room. The service decides when a buyer is let in
// (layers/core/python/fairgate/domain/catalog/eligibility.py).

import { nowMs } from './clock.js';
import { dateText, listText } from './format.js';
import { say } from './words.js';

const DAY_MS = 86400000;

const membersOf = (event) => (event.members || '').split(',').map((name) => name.trim());
const isPresale = (event) => Boolean(event.members) && (event.members_until || '9') > new Date(nowMs()).toISOString();

/** Returns what an account needs to buy here now, a sentence each. */
export function requirements(event) {
  const texts = [];
  if (isPresale(event)) {
    const date = event.members_until && dateText(event.members_until, event.time_zone);
    const names = listText(membersOf(event));
    texts.push(date ? say('account-members-until', { date, names }) : say('account-members', { names }));
  }
  if (event.verified_phone) texts.push(say('account-phone'));
  if (event.account_days) texts.push(say('account-days', { count: event.account_days }));
  if (event.address_limit) texts.push(say('account-address-limit', { count: event.address_limit }));
  if (event.card_limit) texts.push(say('account-card-limit', { count: event.card_limit }));
  return texts;
}

/** Returns why this account cannot buy here now, '' if it can. The account of a sign-in of before is not known. */
export function refusal(event, account) {
  if (!account) return '';
  if (event.verified_phone && !account.verified_phone) return say('account-no-phone');
  const newest = new Date(nowMs() - (event.account_days || 0) * DAY_MS).toISOString().slice(0, 10);
  if (event.account_days && !(account.since && account.since <= newest)) {
    const { since } = account;
    const count = event.account_days;
    return since ? say('account-too-young', { count, since }) : say('account-age-unknown', { count });
  }
  if (isPresale(event) && !membersOf(event).some((name) => account.memberships.includes(name))) {
    if (!event.members_until) return say('account-no-member');
    return say('account-no-member-yet', { date: dateText(event.members_until, event.time_zone) });
  }
  return '';
}
