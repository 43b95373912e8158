// Buy a ticket by the generated types and openapi-fetch: buy.js <url> <event> <code> <verifier> <nonce>.
// Prints the order's number.

import { createHash } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Session = components['schemas']['LiveSessionView'];

const WITHIN_MS = 90_000;
const [baseUrl = '', event = '', code = '', verifier = '', nonce = ''] = process.argv.slice(2);
const pause = (ms: number) => new Promise((done) => setTimeout(done, Math.max(0, ms)));

function must<T>(told: { data?: T; error?: unknown }): T {
  if (told.data === undefined) throw new Error(JSON.stringify(told.error));
  return told.data;
}

function solve(challenge: string, bits: number): string {
  for (let number = 0; ; number++) {
    const digest = createHash('sha256').update(`${challenge}:${number}`).digest();
    if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return `${number}`;
  }
}

async function admitted(headers: Record<string, string>): Promise<Session> {
  const api = createClient<paths>({ baseUrl, headers });
  const path = { event };
  const place = must(await api.POST('/api/events/{event}/queue', { params: { path } }));
  const solution = solve(place.challenge.ch, place.challenge.pow);
  let { token, boff } = place;
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; ) {
    await pause(boff * 1000 - Date.now() + 50);
    const header = { 'x-fairgate-token': token, 'x-fairgate-solution': solution };
    const { data } = await api.POST('/api/events/{event}/admission', { params: { path, header } });
    if (data && 'session' in data) return data;
    if (data) {
      token = data.token ?? token;
      boff = data.boff;
    } else await pause(1000);
  }
  throw new Error('not admitted');
}

const open = createClient<paths>({ baseUrl });
const identity = must(await open.POST('/api/auth/exchange', { body: { code, verifier, nonce } }));
const buyer = { authorization: `Bearer ${identity.token}` };
const { session, credential } = await admitted(buyer);
const api = createClient<paths>({ baseUrl, headers: { ...buyer, 'x-fairgate-session': credential } });
const path = { session };
must(
  await api.POST('/api/sessions/{session}/holds/best-available', {
    params: { path, header: { 'Idempotency-Key': 'hold-1' } },
    body: { quantity: 2 }
  })
);
const begun = must(
  await api.POST('/api/sessions/{session}/checkout', {
    params: { path, header: { 'Idempotency-Key': 'checkout-1' } },
    body: { email: 'ann@example.org' }
  })
);
const form = new URLSearchParams({ action: 'pay' });
const paid = await fetch(new URL(begun.pay_url, baseUrl), { method: 'POST', body: form, redirect: 'manual' });
if (![302, 303].includes(paid.status)) throw new Error(`the payment page answered ${paid.status}`);
let { order } = begun;
for (const until = Date.now() + WITHIN_MS; order.state !== 'ticketed'; await pause(500)) {
  if (Date.now() > until) throw new Error(`the order is ${order.state}`);
  order = must(await api.GET('/api/orders/{order}', { params: { path: { order: order.order } } }));
}
const ticket = await api.GET('/api/orders/{order}/ticket.svg', {
  params: { path: { order: order.order }, query: { unit: 0 } },
  parseAs: 'text'
});
if (!must(ticket).includes('<svg')) throw new Error('no ticket');
console.log(order.order);
