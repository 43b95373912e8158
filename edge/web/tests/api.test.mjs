import assert from 'node:assert/strict';
import test from 'node:test';

import { ApiProblem, request } from '../assets/js/api.js';
import { exchangeIdentity } from '../assets/js/operations.js';
import { explain } from '../assets/js/problems.js';

const { Response, queueMicrotask } = globalThis;

const json = (status, body) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

// As the gateway answers over a route's rate, before any function of ours. Source: API Gateway Developer Guide,
// "Throttle requests to your HTTP APIs".
const throttled = () => json(429, { message: 'Too Many Requests' });

async function asked(t, answers, options) {
  let asks = 0;
  t.mock.method(globalThis, 'fetch', async () => answers[Math.min(asks++, answers.length - 1)]());
  t.mock.method(globalThis, 'setTimeout', (done) => void queueMicrotask(done));
  t.mock.method(AbortController.prototype, 'abort', () => undefined);
  const outcome = await request(exchangeIdentity(), { body: {}, ...options }).catch((error) => error);
  return { asks, outcome };
}

test("the gateway's own refusal of too many is tried again like ours", async (t) => {
  const { asks, outcome } = await asked(t, [throttled, throttled, () => json(200, { sub: 'ann' })], { retry: true });
  assert.equal(asks, 3);
  assert.deepEqual(outcome.data, { sub: 'ann' });
});

test('it is told in our words where it stays', async (t) => {
  const { asks, outcome } = await asked(t, [throttled], { retry: true });
  assert.equal(asks, 4);
  assert.equal(outcome.code, 'too-many-requests');
  assert.match(explain(outcome), /Please wait a moment/);
});

test('a refusal with a name of its own keeps it, and is not tried again', async (t) => {
  const { asks, outcome } = await asked(t, [() => json(429, { code: 'too-early' })], { retry: true });
  assert.deepEqual([asks, outcome.code], [1, 'too-early']);
});

test("the gateway's other errors have a name, too", () => {
  assert.equal(new ApiProblem(503, { message: 'Service Unavailable' }, null).code, 'internal');
  assert.equal(new ApiProblem(413, {}, null).code, 'error');
});
