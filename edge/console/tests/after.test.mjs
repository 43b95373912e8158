import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summed } from '../js/after/sums.js';
import { csvOf, plainAmount } from '../js/csv.js';

test('no cell of a file is a formula, and amounts are those of their currency', () => {
  const rows = [
    { name: '=1+1', amount: -5, text: 'a "b", c' },
    { name: '-x', amount: '-5.00' }
  ];
  const columns = ['name', 'amount', 'text'].map((name) => [name, (row) => row[name]]);
  assert.equal(csvOf(columns, rows), 'name,amount,text\r\n\'=1+1,-5,"a ""b"", c"\r\n\'-x,-5.00,\r\n');
  assert.deepEqual(
    [plainAmount(123456, 'EUR'), plainAmount(12, 'JPY'), plainAmount(null, 'EUR')],
    ['1234.56', '12', '']
  );
});

test('sales add up by a field, refunds taken off', () => {
  const row = (tier, tickets, amount) => ({ tier, tickets, amount_minor: amount, net_minor: amount, vat_minor: 0 });
  const sums = summed([row('front', 2, 200), row('back', 1, 50), row('front', 0, -20)], 'tier');
  assert.deepEqual(
    sums.map(({ name, tickets, amount_minor }) => [name, tickets, amount_minor]),
    [
      ['front', 2, 180],
      ['back', 1, 50]
    ]
  );
});
