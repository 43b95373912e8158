// What can be done to an order: a line each with what is asked for, and how its figures are afterwards.

import { money } from '../format.js';
import { ticketsOf } from './states.js';

const reason = { name: 'reason', label: 'Why', hint: 'One line for the log; no name and no mail address.' };

const without = (list = [], gone = []) => list.filter((one) => !gone.includes(one));
const named = ({ label, ticket }) => (label ? `${label} (${ticket.slice(-6)})` : ticket);
const choice = (order, wanted) =>
  ticketsOf(order)
    .filter(wanted)
    .map((one) => [one.ticket, named(one)]);

/**
 * Each: the act; `name` of its button; `submit`, the words of the last button; `fields(order)`; `then(order, result)`:
 * the order as it will be, by what the dry run says, if figures of it change; `when(order)`: whether it makes sense.
 */
export const ORDER_ACTS = [
  {
    act: 'orders refund',
    name: 'Refund a part',
    submit: 'Refund it',
    when: (order) => order.left_minor > 0,
    fields: (order) => [
      {
        name: 'amount',
        label: 'Amount',
        kind: 'money',
        hint: order.currency ? `At most ${money(order.left_minor, order.currency)}. The tickets stay good.` : ''
      },
      reason
    ],
    then: (order, { again, refund }) => {
      const minor = again ? 0 : refund.amount_minor;
      return { ...order, back_minor: order.back_minor + minor, left_minor: order.left_minor - minor };
    }
  },
  {
    act: 'orders void',
    name: 'Make tickets void',
    submit: 'Make void',
    when: (order) => ticketsOf(order).some((one) => one.good),
    fields: (order) => [
      { name: 'ticket', label: 'Which', options: [['', 'All of its tickets'], ...choice(order, (one) => one.good)] },
      reason
    ],
    then: (order, { tickets }) => ({ ...order, tickets: without(order.tickets, tickets) })
  },
  {
    act: 'orders resend',
    name: 'Send again',
    submit: 'Send the tickets',
    when: (order) => order.state === 'ticketed' && !order.erased_at,
    fields: () => [reason]
  },
  {
    act: 'orders edit',
    name: 'Change the address',
    submit: 'Change it',
    when: (order) => !order.erased_at,
    fields: () => [{ name: 'email', label: 'The right mail address', kind: 'email' }, reason],
    then: (order, _, { email }) => ({ ...order, email })
  },
  {
    act: 'orders take-back',
    name: 'Take a ticket back',
    submit: 'Take it back',
    when: (order) => ticketsOf(order).some((one) => one.taken),
    fields: (order) => [{ name: 'ticket', label: 'Which', options: choice(order, (one) => one.taken) }, reason],
    then: (order, { ticket }) => ({ ...order, passed_on: without(order.passed_on, [ticket]) })
  }
];

/** Returns what changes as [name, before, after], amounts as text. */
export function changesOf(before, after) {
  const { currency } = before;
  const rows = [
    ['Given back', (order) => money(order.back_minor, currency)],
    ['Left of the price', (order) => money(order.left_minor, currency)],
    ['Tickets that admit', (order) => String(order.tickets?.length ?? '–')],
    ['With other accounts', (order) => String(order.passed_on?.length ?? '–')],
    ['State', (order) => order.state],
    ['Mail address', (order) => order.email ?? '–']
  ];
  return rows.map(([name, of]) => [name, of(before), of(after)]).filter(([, was, will]) => was !== will);
}
