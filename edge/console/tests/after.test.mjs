import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byMinute, funnelOf, lossesOf, mostOf, sumOf } from '../js/after/answers.js';
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

const answer = (columns, rows, logged = true) => ({ columns, rows, logged });

test('a minute without a line is nothing on a curve of counts, and a gap in one of waits', () => {
  const waits = answer(
    ['minute', 'buyers', 'p95_s'],
    [
      ['2027-01-01 10:00', 3, 12],
      ['2027-01-01 10:02', 1, 30]
    ]
  );
  assert.deepEqual(byMinute(waits, ['buyers']).series, [[3, 0, 1]]);
  const { times, series } = byMinute(waits, ['p95_s'], null);
  assert.deepEqual(series, [[12, null, 30]]);
  assert.deepEqual([times.length, times[0]], [3, Date.parse('2027-01-01T10:00Z') / 1000]);
  assert.equal(mostOf(waits, 'p95_s'), 30);
  assert.deepEqual(byMinute(answer(['minute', 'asked'], []), ['asked']), { times: [], series: [[]] });
});

test('what nobody counted is no 0', () => {
  assert.equal(sumOf(answer(['minute', 'asked'], [], false), 'asked'), null);
  assert.equal(sumOf(undefined, 'asked'), null);
  const figures = { room: { joined: 90 }, sale: { paid: 30 } };
  const steps = lossesOf(funnelOf(figures, undefined));
  assert.deepEqual(
    steps.map(({ name, count }) => [name, count]),
    [
      ['Joined', 90],
      ['Paid', 30]
    ]
  );
});

test('who is lost stands at the step before which they went', () => {
  const answers = {
    arrivals_by_minute: answer(['minute', 'joined', 'came_in'], [['2027-01-01 10:00', 100, 80]]),
    sessions_by_step: answer(['asked', 'held', 'went_to_pay'], [[70, 60, 50]])
  };
  const steps = lossesOf(funnelOf({ room: { joined: 100 }, sale: { paid: 45 } }, answers));
  assert.deepEqual(
    steps.map(({ lost }) => lost),
    [0, 20, 10, 10, 10, 5]
  );
  assert.equal(steps.at(-1).share, 0.45);
  assert.equal(steps.at(-1).why, 'did not pay');
});
