import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

import './english.mjs';
import { KNOWN } from '../assets/js/answers.js';
import { ApiProblem, request } from '../assets/js/api.js';
import * as operations from '../assets/js/operations.js';
import { explain } from '../assets/js/problems.js';

const { Response, queueMicrotask } = globalThis;

const { exchangeIdentity, getTicketSvg, releaseHold } = operations;

const typed = (status, type, text) => new Response(text, { status, headers: { 'content-type': type } });
const json = (status, body) => typed(status, 'application/json', JSON.stringify(body));
const refusal = (status, body) => typed(status, 'application/problem+json', JSON.stringify(body));
const ANN = { token: 'jwt', expires_at: '2030-01-01T00:00:00.000Z', sub: 'ann', account: {} };

// As the gateway answers over a route's rate, before any function of ours. Source: API Gateway Developer Guide,
// "Throttle requests to your HTTP APIs".
const throttled = () => json(429, { message: 'Too Many Requests' });

async function asked(t, answers, options, operation = exchangeIdentity()) {
  let asks = 0;
  t.mock.method(globalThis, 'fetch', async () => answers[Math.min(asks++, answers.length - 1)]());
  t.mock.method(globalThis, 'setTimeout', (done) => void queueMicrotask(done));
  t.mock.method(AbortController.prototype, 'abort', () => undefined);
  const outcome = await request(operation, { body: {}, ...options }).catch((error) => error);
  return { asks, outcome };
}

test("the gateway's own refusal of too many is tried again like ours", async (t) => {
  const { asks, outcome } = await asked(t, [throttled, throttled, () => json(200, ANN)], { retry: true });
  assert.equal(asks, 3);
  assert.deepEqual(outcome.data, ANN);
});

test('it is told in our words where it stays', async (t) => {
  const { asks, outcome } = await asked(t, [throttled], { retry: true });
  assert.equal(asks, 4);
  assert.equal(outcome.code, 'too-many-requests');
  assert.match(explain(outcome), /Please wait a moment/);
});

test('a refusal with a name of its own keeps it, and is not tried again', async (t) => {
  const { asks, outcome } = await asked(t, [() => refusal(429, { code: 'too-early' })], { retry: true });
  assert.deepEqual([asks, outcome.code], [1, 'too-early']);
});

test("the gateway's failure has a name, too", () => {
  assert.equal(new ApiProblem(503, { message: 'Service Unavailable' }, null).code, 'internal');
});

const LOGIN = '<!doctype html><form>Welcome to the hotel</form>';
const STRANGE = {
  'a page to sign in': () => typed(200, 'text/html', LOGIN),
  'a challenge as 200': () => typed(200, 'text/html; charset=UTF-8', LOGIN),
  'a challenge as 202': () => typed(202, 'text/html', ''),
  'an empty 204': () => new Response(null, { status: 204 }),
  'a page that says it is JSON of another status': () => json(202, ANN),
  'JSON of another shape': () => json(200, { status: 'ok' }),
  'JSON with half of what is needed': () => json(200, { token: 'jwt', sub: 'ann' }),
  'a token that no header can carry': () => json(200, { ...ANN, token: 'a\nb' }),
  'a time that is none': () => json(200, { ...ANN, expires_at: 'soon' }),
  'a list': () => json(200, [ANN]),
  nothing: () => json(200, null),
  'an answer without its type': () => new Response(new Uint8Array(4)),
  'a refusal of a middle box': () => typed(403, 'text/html', LOGIN),
  'a method that a middle box does not know': () => typed(405, 'text/html', LOGIN),
  "a network's own sign-in": () => typed(511, 'text/html', LOGIN),
  "somebody else's JSON": () => json(403, { code: 'forbidden' }),
  'a problem without a name': () => refusal(401, { title: 'Unauthorized' })
};
for (const [name, answer] of Object.entries(STRANGE)) {
  test(`${name} is no answer: the same is asked again`, async (t) => {
    const { asks, outcome } = await asked(t, [answer, answer, () => json(200, ANN)], { retry: true });
    assert.deepEqual([asks, outcome.data], [3, ANN]);
    assert.equal((await asked(t, [answer], {})).outcome.code, 'strange-network');
  });
}

test('half of an answer is a cut line', async (t) => {
  const half = () => typed(200, 'application/json', JSON.stringify(ANN).slice(0, 30));
  const { asks, outcome } = await asked(t, [half, () => json(200, ANN)], { retry: true });
  assert.deepEqual([asks, outcome.data], [2, ANN]);
  assert.equal((await asked(t, [half], {})).outcome.code, 'offline');
});

test('a page of an error is told like the failure that it says', async (t) => {
  const page = () => typed(502, 'text/html', LOGIN);
  const { asks, outcome } = await asked(t, [page, () => json(200, ANN)], { retry: true });
  assert.deepEqual([asks, outcome.data], [2, ANN]);
  assert.equal((await asked(t, [page], {})).outcome.status, 502);
});

test('a file is of its kind, and what has no content says that it is kept by nobody', async (t) => {
  const ticket = getTicketSvg('ord_1', { unit: 0 });
  const drawn = () => typed(200, 'image/svg+xml', '<svg/>');
  assert.equal(await (await asked(t, [drawn], {}, ticket)).outcome.data.text(), '<svg/>');
  assert.equal((await asked(t, [STRANGE['a page to sign in']], {}, ticket)).outcome.code, 'strange-network');
  const empty = (headers) => () => new Response(null, { status: 204, headers });
  const release = releaseHold('ses_1', 'hld_1');
  assert.equal((await asked(t, [empty({ 'cache-control': 'no-store' })], {}, release)).outcome.data, null);
  assert.equal((await asked(t, [empty({})], {}, release)).outcome.code, 'strange-network');
});

test('all that pages ask for has a least shape, by its name in the description', async () => {
  const { components } = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
  // Not asked by pages of buyers.
  const others = [
    'askDesk',
    'receivePaymentEvent',
    'getFigures',
    'getHistory',
    'getSections',
    'listActs',
    'doAct',
    'getStatusVector'
  ];
  const named = Object.entries(operations)
    .filter(([name]) => !others.includes(name))
    .flatMap(([, operation]) => Object.values(operation('a', 'b').answers))
    .filter((kind) => kind && !kind.includes('/'));
  assert.deepEqual(
    named.filter((kind) => !KNOWN.includes(kind)),
    []
  );
  assert.deepEqual(
    KNOWN.filter((name) => name.endsWith('View') && !components.schemas[name]),
    []
  );
});
