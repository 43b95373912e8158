// What has become of an order and of its money, in words for its buyer. Pure: the tests run it in Node.

import { listText, money, timeText } from './format.js';
import { placeLabel } from './labels.js';
import { has, say } from './words.js';

const KINDS = {
  pending: 'info',
  paid: 'good',
  ticketed: 'good',
  failed: 'info',
  expired: 'warn',
  refund_due: 'warn',
  refunded: 'warn',
  cancelled: 'warn',
  disputed: 'warn',
  charged_back: 'warn'
};
const BADGES = {
  pending: 'paused',
  paid: 'on-sale',
  ticketed: 'on-sale',
  refund_due: 'paused',
  disputed: 'paused'
};
const FAILED = ['declined', 'card-limit']; // of a pending order, by its last attempt to pay

/** Says whether the newest attempt to pay a pending order has failed. */
export const hasFailed = ({ state, last_attempt: attempt }) => state === 'pending' && FAILED.includes(attempt);

const named = (state) => state.replace('_', '-');

/** Returns the title of what has become of it, and its text where it has one. */
function words(what, args) {
  const text = has(`order-text-${what}`) ? say(`order-text-${what}`, args) : '';
  return { title: say(`order-title-${what}`), text };
}

/** Returns an order's state for a list: [words, badge]. */
export const stateWord = ({ state, event_cancelled: cancelled, tickets }) =>
  (cancelled && [say('order-word-event-cancelled'), 'closed']) ||
  (state === 'ticketed' && !tickets && [say('order-word-none-left'), 'closed']) ||
  (KINDS[state] ? [say(`order-word-${named(state)}`), BADGES[state] || 'closed'] : [state, 'closed']);

// In these the money that bought the tickets is not what goes back.
const KEEPS_ITS_PAYMENT = new Set(['ticketed', 'disputed', 'charged_back']);

/** Says whether an order's time to pay is over while nobody has said yet whether it was paid. */
export const isSettling = (order, nowMs) => order.state === 'pending' && Date.parse(order.expires_at) <= nowMs;

function settlingText(order, nowMs) {
  if (Date.parse(order.settling_until) <= nowMs) return say('order-text-settling-late');
  return say('order-text-settling', { time: timeText(order.settling_until) });
}

const allPassedOn = ({ state, tickets, void: labels }) => state === 'ticketed' && !tickets && !labels.length;

/** Says which tickets the organiser made void; nothing where none are. */
function voidWords({ state, tickets, void: labels }) {
  if (!labels.length || !KEEPS_ITS_PAYMENT.has(state)) return null;
  const text = tickets
    ? say('order-text-void-these', { labels: listText(labels.map(placeLabel)) })
    : say('order-text-void');
  return ['warn', text];
}

function usualWords(order) {
  const { state } = order;
  if (order.event_cancelled) return { kind: 'warn', ...words('event-cancelled') };
  if (allPassedOn(order)) return { kind: 'info', ...words('all-passed-on') };
  return KINDS[state] ? { kind: KINDS[state], ...words(named(state)) } : { kind: 'info', title: state, text: '' };
}

function refundWords({ state, refund, currency }) {
  const text = say(`order-refund-${refund.state}`, { sum: money(refund.amount_minor, currency) });
  const twice = KEEPS_ITS_PAYMENT.has(state) && refund.second_payment;
  return [refund.state === 'attention' ? 'warn' : 'info', twice ? say('order-paid-twice', { text }) : text];
}

/** Returns what the page says: {title, notices: [[kind, text], …]}. */
export function orderWords(order, nowMs) {
  if (isSettling(order, nowMs)) {
    return { title: say('order-title-settling'), notices: [['info', settlingText(order, nowMs)]] };
  }
  if (hasFailed(order)) {
    const { title, text } = words(order.last_attempt, { time: timeText(order.expires_at) });
    return { title, notices: [['warn', text]] };
  }
  const { title: usual, kind, text } = usualWords(order);
  const { refund, state } = order;
  const notices = text ? [[kind, text]] : [];
  const gone = voidWords(order);
  if (gone) notices.push(gone);
  const title = gone && !order.tickets ? say('order-title-void') : usual;
  if (!refund) {
    if (['refund_due', 'cancelled'].includes(state)) notices.push(['info', say('order-refunding')]);
    return { title, notices };
  }
  notices.push(refundWords(order));
  const other = `order-title-refund-${refund.state}`;
  return { title: state === 'refund_due' && has(other) ? say(other) : title, notices };
}
