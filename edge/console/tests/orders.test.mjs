import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, placesOf, planOf, shortOf } from '../js/orders/find.js';
import { changesOf, ORDER_ACTS } from '../js/orders/order-acts.js';
import { ticketsOf } from '../js/orders/states.js';
import { storyOf } from '../js/orders/story.js';

const ID = `ord_${'0'.repeat(32)}_9f6b31d6`;
const order = {
  order: ID,
  state: 'ticketed',
  email: 'ann@example.com',
  user: 'ann',
  currency: 'EUR',
  total_minor: 9000,
  back_minor: 0,
  left_minor: 9000,
  units: [
    { kind: 'seat', label: '107 · Row E · Seat 7', seat: '107-E-7', tier: 'lower' },
    { kind: 'area', label: 'Standing floor', area: 'floor', quantity: 2 }
  ],
  tickets: ['tkt_1', 'tkt_2'],
  void: ['tkt_0'],
  passed_on: ['tkt_2'],
  story: [
    { at: '2027-01-01T10:00:00Z', what: 'made', amount_minor: 9000 },
    { at: '2027-01-01T10:00:05Z', what: 'paid', amount_minor: 9000 },
    { at: '2027-01-02T10:00:01Z', what: 'refund-owed', amount_minor: 500, part: 1 },
    { at: '2027-01-02T10:00:02Z', what: 'refund-arrived', amount_minor: 500, part: 1 }
  ]
};
const entry = (act, at, phase = 'done', of = ID) => ({
  act: `order ${act}`,
  at,
  phase,
  who: 'sign-in olga',
  detail: { order: of, amount_minor: 500, reason: 'late' }
});

test('a search is a number, a mail address or words', () => {
  assert.deepEqual(planOf(` ${ID} `), { order: ID });
  assert.deepEqual(planOf('Ann@example.com'), { email: 'Ann@example.com' });
  assert.deepEqual(planOf('107 E'), { find: '107 E' });
});

test('what an order is for is said in one line', () => {
  assert.equal(placesOf(order), '107 · Row E · Seat 7 and 2 more');
  assert.equal(placesOf({ units: order.units.slice(1) }), '2 × Standing floor');
  assert.equal(placesOf({}), '–');
  assert.equal(shortOf(ID), '…9f6b31d6');
});

test('the address of an order has its number and nothing else of it', () => {
  assert.equal(addressOf('gala', ID), `#/e/gala/orders/${ID}`);
});

test('what the log and the order both know is told once, by who did it', () => {
  const log = [
    entry('refund', '2027-01-02T10:00:00Z', 'asked'),
    entry('refund', '2027-01-02T10:00:00Z'),
    entry('void', '2027-01-03T10:00:00Z', 'done', 'ord_other')
  ];
  const told = storyOf(order, log);
  assert.deepEqual(
    told.map((one) => one.verb),
    ['Ordered', 'Paid', 'Refunded in part', 'Refund arrived']
  );
  assert.equal(told[2].who, 'sign-in olga');
  assert.match(told[2].detail, /5\.00.*“late”/);
  assert.equal(storyOf(order)[2].verb, 'Refund in part decided');
});

test('a refund says what was left before and what will be', () => {
  const { then } = ORDER_ACTS.find(({ act }) => act === 'orders refund');
  const changed = (again) => changesOf(order, then(order, { again, refund: { amount_minor: 500 } }));
  assert.deepEqual(changed(false), [
    ['Given back', '€0.00', '€5.00'],
    ['Left of the price', '€90.00', '€85.00']
  ]);
  assert.deepEqual(changed(true), []);
});

test('void tickets and those of other accounts are told apart', () => {
  assert.deepEqual(
    ticketsOf(order).map(({ ticket, words }) => [ticket, words]),
    [
      ['tkt_1', 'Admits'],
      ['tkt_2', 'Passed on'],
      ['tkt_0', 'Void']
    ]
  );
  assert.ok(ticketsOf({ ...order, state: 'disputed' }).every(({ good }) => !good));
});
