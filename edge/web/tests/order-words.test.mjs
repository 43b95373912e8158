import assert from 'node:assert/strict';
import { test } from 'node:test';
import './english.mjs';
import { timeText } from '../assets/js/format.js';
import { isSettling, orderWords } from '../assets/js/order-words.js';

const END = '2030-06-01T18:00:00.000Z';
const UNTIL = '2030-06-01T18:30:00.000Z';
const BEFORE = Date.parse(END) - 1;
const STATES = 'pending paid ticketed failed expired refund_due refunded cancelled disputed charged_back'.split(' ');

const order = (state, refund = null) => ({
  state,
  currency: 'EUR',
  expires_at: END,
  settling_until: UNTIL,
  tickets: 2,
  void: [],
  event_cancelled: false,
  refund: refund && { state: refund, amount_minor: 8550, second_payment: false }
});
const said = (state, refund, nowMs = BEFORE) => {
  const { title, notices } = orderWords(order(state, refund), nowMs);
  return [title, ...notices.map(([, text]) => text)].join(' ');
};

test('every state has a title of its own', () => {
  const titles = STATES.map((state) => orderWords(order(state), BEFORE).title);
  assert.equal(new Set(titles).size, STATES.length);
  for (const title of titles) assert.ok(!STATES.includes(title), title);
});

test('a failed attempt is the one thing said while there is time to pay', () => {
  for (const [attempt, title] of [
    ['declined', 'Your card was declined'],
    ['card-limit', 'This card has reached its limit']
  ]) {
    const failed = { ...order('pending'), last_attempt: attempt };
    const words = orderWords(failed, BEFORE);
    assert.equal(words.title, title);
    assert.equal(words.notices.length, 1);
    assert.ok(words.notices[0][1].endsWith(`Nothing was charged. Your seats are yours until ${timeText(END)}.`));
    assert.match(orderWords(failed, Date.parse(END)).title, /^Finding out/);
    assert.equal(orderWords({ ...failed, state: 'ticketed' }, BEFORE).title, 'Your tickets');
  }
});

test('every state of a refund names the sum, and only one that did not arrive warns', () => {
  for (const refund of ['owed', 'sent', 'arrived', 'attention', 'handled']) {
    const { notices } = orderWords(order('cancelled', refund), BEFORE);
    const [kind, text] = notices.at(-1);
    assert.match(text, /€85\.50/);
    assert.equal(kind, refund === 'attention' ? 'warn' : 'info');
  }
});

test('a refund that did not reach the bank says so, and who knows of it', () => {
  for (const state of ['refund_due', 'cancelled']) {
    const words = said(state, 'attention');
    assert.match(words, /did not reach your bank\. The organiser has been told/);
    assert.doesNotMatch(words, /on its way/);
    assert.doesNotMatch(words, /goes back to you/);
  }
  assert.match(said('cancelled', 'handled'), /the organiser has dealt with it/);
});

test('money that goes back without news of the refund is still said to go back', () => {
  assert.match(said('cancelled'), /It is being refunded/);
  assert.match(said('refund_due'), /It is being refunded/);
});

test('a second payment that goes back is told apart from the one that bought the tickets', () => {
  const twice = { ...order('ticketed', 'sent') };
  twice.refund = { ...twice.refund, second_payment: true };
  const words = orderWords(twice, BEFORE).notices.map(([, text]) => text);
  assert.match(words.join(' '), /You paid a second time for this order\. €85\.50 is on its way back/);
  assert.doesNotMatch(said('ticketed', 'sent'), /second time/); // a part that staff gave back
  assert.doesNotMatch(said('cancelled', 'sent'), /second time/);
  assert.equal(orderWords(order('ticketed'), BEFORE).notices.length, 0);
});

test('an order past its time to pay is being settled, and says until when', () => {
  const at = Date.parse(END);
  assert.equal(isSettling(order('pending'), at - 1), false);
  assert.equal(isSettling(order('pending'), at), true);
  assert.equal(isSettling(order('paid'), at), false);
  const words = said('pending', null, at);
  assert.match(words, /has not said yet whether you have paid/);
  assert.ok(words.includes(`at ${timeText(UNTIL)} at the latest`), words);
  assert.doesNotMatch(words, /Nothing was charged/);
});

test('an order that nobody could settle in time promises no seats any more', () => {
  const words = said('pending', null, Date.parse(UNTIL));
  assert.match(words, /your money back where others have the seats/);
  assert.doesNotMatch(words, /at the latest/);
});

const MONEY_IS_LATE = 'Has the money not come by then? Please contact the box office.';

test('every end of an order is explained', () => {
  const ends = {
    failed: ['You gave these seats back'],
    expired: ['The time to pay is over'],
    refund_due: ['so they could not be kept for you.', MONEY_IS_LATE],
    refunded: ['Your money was sent back'],
    cancelled: ['The order was cancelled', MONEY_IS_LATE],
    disputed: ['Your tickets are on hold'],
    charged_back: ['This order is over']
  };
  for (const [state, texts] of Object.entries(ends))
    for (const text of texts) assert.ok(said(state).includes(text), `${state}: ${said(state)}`);
});

test('tickets that are void are named as a sentence names them', () => {
  const labels = ['102 · Row A · Seat 1', 'Floor'];
  const [, text] = orderWords({ ...order('ticketed'), void: labels }, BEFORE).notices[0];
  assert.match(text, /^These tickets are void: 102 · Row A · Seat 1 and Floor\. /);
});
