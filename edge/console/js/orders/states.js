// How the states of an order and of its tickets read.

export const STATES = {
  pending: ['info', 'To be paid'],
  paid: ['info', 'Paid'],
  ticketed: ['good', 'Tickets'],
  failed: ['info', 'Not paid'],
  expired: ['info', 'Ran out'],
  refund_due: ['warn', 'Refund due'],
  refunded: ['info', 'Refunded'],
  cancelled: ['info', 'Cancelled'],
  disputed: ['bad', 'Disputed'],
  charged_back: ['bad', 'Charged back']
};

export const stateOf = (state) => STATES[state] ?? ['info', state];

/** Returns each ticket as {ticket, label, tone, words, good, taken}; taken: another account has it. */
export function ticketsOf(order) {
  const { tickets = [], void: gone = [], passed_on: passed = [], state } = order;
  const bare = [...tickets, ...gone].map((ticket) => ({
    ticket,
    label: '',
    admits: state === 'ticketed' && !gone.includes(ticket),
    passed_on: passed.includes(ticket)
  }));
  return (order.entries ?? bare).map((one) => {
    let [tone, words] = one.admits ? ['good', 'Admits'] : ['bad', 'Void'];
    if (one.admits && one.passed_on) [tone, words] = ['info', 'Passed on'];
    else if (one.admits && one.offered_until) [tone, words] = ['warn', 'Offered to somebody'];
    return { ticket: one.ticket, label: one.label, tone, words, good: one.admits, taken: one.passed_on };
  });
}
