// What has become of an order and of its money, in words for its buyer. Pure: the tests run it in Node.

import { money, timeText } from './format.js';

const DAYS = 'Banks take some days for it.';
const ASK = 'Has the money not come by then? Please contact the box office.';

const STATES = {
  pending: ['Waiting for your payment', 'info', 'As soon as the payment provider tells us, your tickets appear here.'],
  paid: ['Paid. Your tickets are being made', 'good', 'This takes a few seconds.'],
  ticketed: ['Your tickets', 'good', ''],
  failed: ['You gave these seats back', 'info', 'Nothing was charged.'],
  expired: ['The time to pay is over', 'warn', 'Nothing was charged, and your seats were given back.'],
  refund_due: [
    'Your money goes back to you',
    'warn',
    'The payment arrived after your seats had gone, so they could not be kept for you.'
  ],
  refunded: ['Your money was sent back', 'warn', ''],
  cancelled: ['The order was cancelled', 'warn', 'The tickets are no longer valid.'],
  disputed: [
    'Your tickets are on hold',
    'warn',
    'Your bank has asked for this payment back, so the tickets are not valid for now. ' +
      'If that was a mistake, please tell your bank: once it withdraws, they are valid again.'
  ],
  charged_back: [
    'This order is over',
    'warn',
    'Your bank took the payment back, and the tickets are no longer valid. Nothing more is charged.'
  ]
};

// Of a pending order, by its last attempt to pay.
const FAILED = {
  declined: ['Your card was declined', 'Your bank declined the card.'],
  'card-limit': ['This card has reached its limit', 'This card has already bought as many places as one card may.']
};

/** Says whether the newest attempt to pay a pending order has failed. */
export const hasFailed = ({ state, last_attempt: attempt }) => state === 'pending' && attempt in FAILED;

function failedWords({ last_attempt: attempt, expires_at: until }) {
  const [title, why] = FAILED[attempt];
  return { title, notices: [['warn', `${why} Nothing was charged. Your seats are yours until ${timeText(until)}.`]] };
}

const ALL_PASSED_ON = ['You have passed your tickets on', 'info', 'Others have them now, each with a code of its own.'];

// Of whatever state, once its organiser has cancelled the event.
const EVENT_CANCELLED = [
  'The event is cancelled',
  'warn',
  'The organiser has cancelled this event. Your tickets are no longer valid, and all that you paid goes back to you.'
];

// The same in a word or two, for a list, with the colour of its badge.
const WORDS = {
  pending: ['To be paid', 'paused'],
  paid: ['Paid', 'on-sale'],
  ticketed: ['Tickets', 'on-sale'],
  failed: ['Given back', 'closed'],
  expired: ['Not paid', 'closed'],
  refund_due: ['Refund', 'paused'],
  refunded: ['Refunded', 'closed'],
  cancelled: ['Cancelled', 'closed'],
  disputed: ['On hold', 'paused'],
  charged_back: ['Over', 'closed']
};

/** Returns an order's state for a list: [words, badge]. */
export const stateWord = ({ state, event_cancelled: cancelled, tickets }) =>
  (cancelled && ['Event cancelled', 'closed']) ||
  (state === 'ticketed' && !tickets && ['No ticket left', 'closed']) ||
  WORDS[state] || [state, 'closed'];

// How a refund stands; `sum` as the buyer reads it.
const REFUNDS = {
  owed: (sum) => `${sum} is about to be sent back to you. ${DAYS} ${ASK}`,
  sent: (sum) => `${sum} is on its way back to you. ${DAYS} ${ASK}`,
  arrived: (sum) => `${sum} was sent back to you. Your bank may take some days to show it.`,
  attention: (sum) =>
    `Your refund of ${sum} did not reach your bank. The organiser has been told and will see to it; ` +
    'you need not do anything now.',
  handled: (sum) =>
    `Your refund of ${sum} did not reach your bank at first, and the organiser has dealt with it. ` +
    'Has it not come? Please contact the box office.'
};
const TITLES_WITHOUT_ARRIVAL = { attention: 'Your refund needs the organiser', handled: 'Your refund was dealt with' };

// In these the money that bought the tickets is not what goes back.
const KEEPS_ITS_PAYMENT = new Set(['ticketed', 'disputed', 'charged_back']);

const SETTLING = ['Finding out whether you have paid', 'info'];

/** Says whether an order's time to pay is over while nobody has said yet whether it was paid. */
export const isSettling = (order, nowMs) => order.state === 'pending' && Date.parse(order.expires_at) <= nowMs;

function settlingText(order, nowMs) {
  const unknown = 'The time to pay is over, and the payment provider has not said yet whether you have paid.';
  if (Date.parse(order.settling_until) <= nowMs) {
    return `${unknown} If you have, you get your tickets here, or your money back where others have the seats by now.`;
  }
  const until = timeText(order.settling_until);
  return `${unknown} If you have, your tickets appear here. If not, the seats go back, at ${until} at the latest.`;
}

const allPassedOn = ({ state, tickets, void: labels }) => state === 'ticketed' && !tickets && !labels.length;

/** Says which tickets the organiser made void; nothing where none are. */
function voidWords({ state, tickets, void: labels }) {
  if (!labels.length || !KEEPS_ITS_PAYMENT.has(state)) return null;
  const which = tickets ? `These tickets are void: ${labels.join(', ')}.` : 'The organiser has made them void.';
  return ['warn', `${which} They are no longer valid. Please contact the organiser about it.`];
}

/** Returns what the page says: {title, notices: [[kind, text], …]}. */
export function orderWords(order, nowMs) {
  if (isSettling(order, nowMs)) {
    const [title, kind] = SETTLING;
    return { title, notices: [[kind, settlingText(order, nowMs)]] };
  }
  if (hasFailed(order)) return failedWords(order);
  const [usual, kind, text] = (order.event_cancelled && EVENT_CANCELLED) ||
    (allPassedOn(order) && ALL_PASSED_ON) ||
    STATES[order.state] || [order.state, 'info', ''];
  const { refund, state } = order;
  const notices = text ? [[kind, text]] : [];
  const gone = voidWords(order);
  if (gone) notices.push(gone);
  const title = gone && !order.tickets ? 'Your tickets are void' : usual;
  if (!refund) {
    if (['refund_due', 'cancelled'].includes(state)) notices.push(['info', `It is being refunded. ${DAYS} ${ASK}`]);
    return { title, notices };
  }
  const second = KEEPS_ITS_PAYMENT.has(state) && refund.second_payment ? 'You paid a second time for this order. ' : '';
  const words = REFUNDS[refund.state](money(refund.amount_minor, order.currency));
  notices.push([refund.state === 'attention' ? 'warn' : 'info', second + words]);
  const other = state === 'refund_due' && TITLES_WITHOUT_ARRIVAL[refund.state];
  return { title: other || title, notices };
}
