// What can be saved of an event as a file for spreadsheets: the act, its list, and a column each.

import { actNamed, look } from '../acts.js';
import { plainAmount } from '../csv.js';

const PAUSE_MS = 500; // between two parts: one address may ask about twice a second

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
    act: 'books ledger',
    name: 'Ledger',
    list: 'entries',
    columns: [...plain('at', 'kind'), amount('amount'), ...plain('currency', 'order', 'payment', 'thing', 'payout')]
  },
  {
    act: 'orders list',
    name: 'Orders, with addresses',
    list: 'orders',
    columns: [
      ...plain('order', 'state', 'created_at', 'paid_at', 'email'),
      ['name', (row) => row.postal_address?.name],
      ['places', (row) => (row.units ?? []).map(({ label }) => label)],
      ['tickets', (row) => row.tickets?.length],
      ['void', (row) => row.void?.length],
      ...plain('currency'),
      ...['total', 'net', 'vat', 'back', 'left'].map(amount)
    ]
  },
  {
    act: 'books movements',
    name: 'Movements, of the whole account',
    list: 'movements',
    columns: [
      ...plain('at', 'kind'),
      ...['amount', 'fee', 'net'].map(amount),
      ...plain('currency', 'event', 'order', 'payment', 'thing', 'movement', 'payout')
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

/** Reads all rows, part after part; `told(count)` hears how many there are so far. */
export async function rowsOf({ act, list }, event, told = () => {}) {
  const rows = [];
  const named = 'event' in actNamed(act).arguments.properties ? { event } : {};
  let after;
  do {
    const part = await look(act, { ...named, after });
    rows.push(...part[list]);
    told(rows.length);
    after = part.after;
    if (after) await new Promise((done) => setTimeout(done, PAUSE_MS));
  } while (after);
  return rows;
}
