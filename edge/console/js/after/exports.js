// What can be saved of an event as a file for spreadsheets: the act, its list, and a column each.

import { look } from '../acts.js';
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
    act: 'event log',
    name: 'Operators’ log',
    list: 'entries',
    columns: plain('number', 'at', 'who', 'act', 'phase', 'detail')
  }
];

/** Reads all rows, part after part; `told(count)` hears how many there are so far. */
export async function rowsOf({ act, list }, event, told = () => {}) {
  const rows = [];
  let after;
  do {
    const part = await look(act, { event, after });
    rows.push(...part[list]);
    told(rows.length);
    after = part.after;
    if (after) await new Promise((done) => setTimeout(done, PAUSE_MS));
  } while (after);
  return rows;
}
