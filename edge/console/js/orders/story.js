// What became of an order when, with who did it: the order's own story and the operators' log as one line of time.

import { money } from '../format.js';

const NEAR_MS = 10_000; // between what an operator asked for and what the order has of it

// What the order tells, as [tone, verb, detail].
const TOLD = {
  made: (one, paid) => ['info', 'Ordered', paid(one.amount_minor)],
  paid: (one, paid) => ['good', 'Paid', paid(one.amount_minor)],
  ticketed: (one) => ['good', 'Tickets made', one.count === 1 ? '1 ticket' : `${one.count} tickets`],
  mailed: () => ['info', 'Tickets mailed', ''],
  'passed-on': (one) => ['info', 'Ticket passed on', one.ticket],
  void: (one) => ['bad', 'Made void', one.labels.join(', ')],
  'place-cancelled': (one, paid) => [
    'info',
    'Place cancelled',
    [one.label, `${paid(one.amount_minor)} back`, one.fee_minor ? `${paid(one.fee_minor)} kept` : '']
      .filter(Boolean)
      .join(', ')
  ],
  'refund-owed': (one, paid) => [
    'info',
    one.part ? 'Refund in part decided' : 'Refund decided',
    paid(one.amount_minor)
  ],
  'refund-arrived': (one, paid) => ['good', 'Refund arrived', paid(one.amount_minor)],
  'refund-failed': (one, paid) => ['bad', 'Refund came back', because(paid(one.amount_minor), one)],
  'refund-refused': (one, paid) => ['bad', 'Refund refused', because(paid(one.amount_minor), one)],
  cancelled: (one) => ['bad', 'Cancelled', one.event ? 'with the whole event' : ''],
  refunded: () => ['info', 'All refunded', ''],
  erased: () => ['info', 'Address erased', 'on request']
};

// What operators do, and which part of the order's story says the same.
const DONE = {
  'order refund': ['Refunded in part', 'refund-owed'],
  'order resend': ['Tickets sent again', 'mailed'],
  'order edit': ['Address changed', ''],
  'order void': ['Made void', 'void'],
  'order take-back': ['Ticket taken back', 'passed-on'],
  'order invoice': ['Invoice numbered', ''],
  'order cancel': ['Cancelled', 'cancelled']
};

const because = (text, { reason }) => (reason ? `${text}, ${reason}` : text);

/**
 * Returns [{at, tone, verb, detail, who}], the oldest first. `entries` are those of the event's log; what both know is
 * told once, by the log, which knows who.
 */
export function storyOf(order, entries = []) {
  const paid = (minor) => money(minor, order.currency);
  const acts = entries
    .filter(({ phase, detail }) => detail?.order === order.order && ['done', 'incomplete'].includes(phase))
    .map((one) => ({ ...one, says: DONE[one.act] ?? [one.act, ''] }));
  const known = ({ what, at }) =>
    acts.some(({ says, at: then }) => says[1] === what && Math.abs(Date.parse(at) - Date.parse(then)) < NEAR_MS);
  const own = (order.story ?? [])
    .filter((one) => TOLD[one.what] && !known(one))
    .map((one) => {
      const [tone, verb, detail] = TOLD[one.what](one, paid);
      return { at: one.at, tone, verb, detail, who: '' };
    });
  const done = acts.map(({ at, who, detail, says, phase }) => ({
    at,
    tone: phase === 'done' ? 'info' : 'warn',
    verb: says[0],
    detail: [
      detail.amount_minor ? paid(detail.amount_minor) : '',
      detail.tickets?.length ? `${detail.tickets.length} of its tickets` : '',
      detail.reason ? `“${detail.reason}”` : ''
    ]
      .filter(Boolean)
      .join(', '),
    who
  }));
  return [...own, ...done].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
