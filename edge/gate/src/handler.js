// One request at the gate: answered here, or sent on with the gate's word in x-fairgate-edge.

import { readGate } from './gate.js';
import { fits, mac, short } from './mac.js';
import { admissionProbability, backoff, challenge, estimate, lotteryNumber, lotteryTicket, onGrid, operationalTime, progress, solves, stateShown } from './draw.js';
import { caller, signed, waitingClaims } from './token.js';
import { answer, problem } from './answer.js';

const ROUTE = /^\/api\/events\/([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\/(queue|admission)$/;
const NONCE = /^[0-9]{1,16}$/;
const EDGE = 'x-fairgate-edge';
const FINAL = {
  soldout: 'Everything is sold.',
  closed: 'The sale is over.',
  draining: 'The waiting room takes nobody new in.'
};

export async function handler(event) {
  let id = '';
  try {
    id = event.context.requestId;
    return await pass(event, id, Date.now());
  } catch (error) {
    console.log('gate: ' + error);
    return problem(503, 'dependency-unavailable', 'The gate cannot decide right now. Your place is safe.', id,
      { 'retry-after': 5 });
  }
}

async function pass(event, requestId, nowMs) {
  const request = event.request;
  delete request.headers[EDGE];
  if (!fits(ROUTE, request.uri)) {
    return problem(404, 'not-found', 'There is nothing here.', requestId);
  }
  if (request.method !== 'POST') {
    return problem(405, 'method-not-allowed', 'Only POST is possible here.', requestId, { allow: 'POST' });
  }
  const match = ROUTE.exec(request.uri);
  const gate = await readGate(match[1]);
  if (gate === null) {
    return problem(404, 'not-found', 'There is no such event.', requestId);
  }
  // Draining takes nobody new in, and lets in who waits.
  if (FINAL[gate.s] !== undefined && (gate.s !== 'draining' || match[2] === 'queue')) {
    return problem(410, 'sale-over', FINAL[gate.s], requestId, {}, gate.s);
  }
  const visit = {
    gate: gate, event: match[1], request: request, sub: '', now: nowMs / 1000, nowMs: nowMs,
    requestId: requestId, ip: event.viewer.ip
  };
  const authorization = headerOf(request, 'authorization');
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') {
    return toDesk(visit, 'no-auth');
  }
  const sub = caller(authorization, gate.a, visit.now);
  if (sub === null) {
    return toDesk(visit, 'bad-auth');
  }
  visit.sub = sub;
  return match[2] === 'queue' ? join(visit) : attempt(visit);
}

function headerOf(request, name) {
  const entry = request.headers[name];
  return entry === undefined ? '' : entry.value;
}

// A place in the room: everything in the token, nothing stored.
function join(visit) {
  const gate = visit.gate;
  const now = visit.now;
  const key = gate.t[gate.tc];
  const hex = mac(key, 'id|' + visit.requestId + '|' + visit.ip + '|' + visit.sub + '|' + visit.nowMs).toString('hex');
  if (parseInt(hex.slice(18, 26), 16) / 4294967296 < gate.sq) {
    return toDesk(visit, 'sample-queue');
  }
  const time = ('00000000000' + visit.nowMs.toString(16)).slice(-12);
  const id = time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6, 18);
  const iat = Math.floor(now);
  const lot = lotteryTicket(gate, visit.event, visit.sub, id);
  const u = lotteryNumber(gate, lot);
  const boff = backoff(gate, id, u, 0, now);
  const claims = {
    id: id, evt: visit.event, sub: visit.sub, iat: iat, exp: boff + gate.x, h: onGrid(operationalTime(gate.ep, iat)),
    lot: lot, ch: challenge(key, id), pow: gate.p, boff: boff, lvl: 0
  };
  return answer(200, {
    state: stateShown(gate, now), token: signed(claims, gate), challenge: { ch: claims.ch, pow: claims.pow },
    boff: boff, opens_at: new Date(gate.ds * 1000).toISOString(), now: iat, estimate: estimate(gate, u, 0, now)
  });
}

// Admitted, or the same place with the time to come back.
function attempt(visit) {
  const gate = visit.gate;
  const now = visit.now;
  const claims = waitingClaims(headerOf(visit.request, 'x-fairgate-token'), gate.t);
  const wrong = violation(visit, claims);
  if (wrong !== '') {
    return toDesk(visit, wrong);
  }
  const u = lotteryNumber(gate, claims.lot);
  const x = progress(gate, claims.h, now);
  if (gate.s !== 'paused' && (gate.ou > now || u < admissionProbability(x, gate.k))) {
    return sampled(claims.id, gate.sa) ? toDesk(visit, 'sample-admit') : forwarded(visit, 'admit');
  }
  const boff = backoff(gate, claims.id, u, x, now);
  const second = Math.floor(now);
  claims.boff = boff;
  claims.exp = boff + gate.x;
  const body = {
    state: stateShown(gate, now), token: signed(claims, gate), boff: boff, now: second,
    estimate: estimate(gate, u, x, now)
  };
  if (gate.s === 'paused') {
    body.retry_after = boff - second;
  }
  return answer(202, body, { 'retry-after': boff - second });
}

function violation(visit, claims) {
  if (claims === null) {
    return 'bad-token';
  }
  if (claims.evt !== visit.event) {
    return 'other-event';
  }
  if (claims.sub !== visit.sub) {
    return 'other-user';
  }
  if (claims.exp <= visit.now) {
    return 'expired-token';
  }
  if (visit.now < claims.boff - 2) {
    return 'early';
  }
  const nonce = headerOf(visit.request, 'x-fairgate-solution');
  if (nonce === '') {
    return 'no-solution';
  }
  return fits(NONCE, nonce) && solves(claims.ch, claims.pow, nonce) ? '' : 'bad-solution';
}

// Whether this token's admission belongs to the sample: its id is an HMAC, so nobody chooses.
function sampled(id, share) {
  return parseInt(id.slice(-12, -4), 16) / 4294967296 < share;
}

function forwarded(visit, verdict) {
  const t = Math.floor(visit.now);
  const text = t + '|' + verdict;
  const sign = short(mac(visit.gate.g, 'v1|' + text + '|' + visit.event + '|' + visit.sub));
  visit.request.headers[EDGE] = { value: 'v1.' + t + '.' + verdict + '.' + sign };
  return visit.request;
}

// The cache behaviour stays that of the gated route, which never caches.
function toDesk(visit, verdict) {
  const request = forwarded(visit, verdict);
  request.uri = '/api/desk';
  request.querystring = { event: { value: visit.event } };
  return request;
}
