import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTicketSvg, joinQueue, listOrders, releaseHold } from '../assets/js/operations.js';

test('an operation is what the description says, with its places filled in', () => {
  const path = '/api/sessions/ses_1/holds/hold_2';
  assert.deepEqual(releaseHold('ses_1', 'hold_2'), { method: 'DELETE', path, answers: { 204: '' } });
  assert.deepEqual(joinQueue('spring').answers, { 200: 'PlaceView' });
  assert.deepEqual(getTicketSvg('ord_1').answers, { 200: 'image/svg+xml' });
});

test('what is filled in cannot leave its place', () => {
  assert.equal(joinQueue('../a?b=c#d').path, '/api/events/..%2Fa%3Fb%3Dc%23d/queue');
});

test('a query has what is given, and is none without', () => {
  assert.equal(listOrders().path, '/api/orders');
  assert.equal(listOrders({ after: '' }).path, '/api/orders');
  assert.equal(listOrders({ after: 'a&b=c' }).path, '/api/orders?after=a%26b%3Dc');
  assert.equal(getTicketSvg('ord_1', { unit: 0 }).path, '/api/orders/ord_1/ticket.svg?unit=0');
});
