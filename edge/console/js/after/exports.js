// What can be saved of an event as a file for spreadsheets: small lists with a column each, and large ones.

import { actNamed, look } from '../acts.js';
import { plainAmount } from '../csv.js';

const plain = (...names) => names.map((name) => [name, (row) => row[name]]);
const amount = (name) => [name, (row) => plainAmount(row[`${name}_minor`], row.currency)];

export const EXPORTS = [
  {
    act: 'books sales',
    name: 'Sales by day, tier and VAT',
    list: 'rows',
    columns: [
      ...plain('day', 'kind', 'tier', 'vat_percent', 'tickets'),
      amount('amount'),
      amount('net'),
      amount('vat'),
      ...plain('currency')
    ]
  },
  {
    act: 'books payouts',
    name: 'Payouts, of the whole account',
    list: 'payouts',
    columns: [...plain('at', 'payout', 'step'), amount('amount'), ...plain('currency', 'arrives_at', 'parts')]
  },
  {
    act: 'seats list',
    name: 'House seats',
    list: 'blocks',
    columns: plain('block', 'reason', 'by', 'at', 'until', 'seats', 'areas')
  },
  {
    act: 'orders tasks',
    name: 'Manual tasks, of all events',
    list: 'tasks',
    columns: plain('since', 'kind', 'event_id', 'order_id', 'what', 'task_id')
  },
  {
    act: 'event log',
    name: 'Operators’ log',
    list: 'entries',
    columns: plain('number', 'at', 'who', 'act', 'phase', 'detail')
  }
];

/** Reads all rows. */
export async function rowsOf({ act, list }, event) {
  return (await look(act, argumentsOf(act, event)))[list];
}

/** The large lists: files that the service makes by a job. */
export const LARGE = [
  { act: 'export orders', name: 'Orders, with their buyers' },
  { act: 'export ledger', name: 'Ledger' },
  { act: 'export movements', name: 'Movements, of the whole account' }
];

/** Names the event, where the act is about one. */
export const argumentsOf = (act, event) => ('event' in actNamed(act).arguments.properties ? { event } : {});
