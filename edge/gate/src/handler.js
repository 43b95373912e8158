// One request at the gate: answered here, or sent on with the gate's word in x-fairgate-edge.

import { isKnown, parsedGate, storedGate } from './gate.js';
import { mac, matched, short } from './mac.js';
import { admissionProbability, backoff, challenge, estimate, lineAt, lotteryNumber, lotteryTicket, onGrid, operationalTime, progress, remaining, solves, stateShown } from './draw.js';
import { BOFF, CH, EVT, EXP, H, IAT, ID, LOT, POW, SUB, caller, fromTheFuture, issued, placeOf, postponed } from './token.js';
import { answer, problem } from './answer.js';

const ROUTE = /^\/api\/events\/([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\/(queue|admission)$/;
const NONCE = /^[0-9]{1,16}$/;
const EDGE = 'x-fairgate-edge';

// Everything happens in this one asynchronous function or in plain ones: each further `await`
// would cost as much as a hash.
export async function handler(event) {
  let id = '';
  try {
    id = event.context.requestId;
    const request = event.request;
    delete request.headers[EDGE];
    const route = matched(ROUTE, request.uri);
    if (route === null) {
      return problem(404, 'Not Found', 'not-found', 'There is nothing here.', id, {});
    }
    if (request.method !== 'POST') {
      return problem(405, 'Method Not Allowed', 'method-not-allowed', 'Only POST is possible here.', id,
        { allow: 'POST' });
    }
    let text;
    try {
      text = await storedGate(route[1]);
    } catch (error) {
      const known = await isKnown(route[1]);
      if (known === false) {
        return problem(404, 'Not Found', 'not-found', 'There is no such event.', id, {});
      }
      throw error;
    }
    return decided(event, parsedGate(text), route[1], route[2]);
  } catch (error) {
    console.log('gate: ' + error);
    return problem(503, 'Service Unavailable', 'dependency-unavailable',
      'The gate cannot decide right now. Your place is safe.', id, { 'retry-after': '5' });
  }
}

function decided(event, gate, name, action) {
  const word = finalWord(gate.s, action);
  if (word !== '') {
    return problem(410, 'Gone', 'sale-over', word, event.context.requestId, { state: gate.s });
  }
  const nowMs = Date.now();
  const now = nowMs / 1000;
  const visit = { gate: gate, line: lineAt(gate.ep, now), event: name, request: event.request, sub: '', now: now };
  const authorization = headerOf(event.request, 'authorization');
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, 7).toLowerCase() !== 'bearer ') {
    return toDesk(visit, 'no-auth');
  }
  const sub = caller(authorization, gate.a, visit.now);
  if (sub === null) {
    return toDesk(visit, 'bad-auth');
  }
  visit.sub = sub;
  return action === 'queue' ? join(visit, nowMs, event.context.requestId + '|' + event.viewer.ip) : attempt(visit);
}

// Draining takes nobody new in, and lets in who waits.
function finalWord(state, action) {
  if (state === 'open' || state === 'paused') {
    return '';
  }
  if (state === 'draining') {
    return action === 'queue' ? 'The waiting room takes nobody new in.' : '';
  }
  return state === 'soldout' ? 'Everything is sold.' : 'The sale is over.';
}

function headerOf(request, name) {
  const entry = request.headers[name];
  return entry === undefined ? '' : entry.value;
}

// A place in the room: everything in the token, nothing stored.
function join(visit, nowMs, origin) {
  const gate = visit.gate;
  const now = visit.now;
  const key = gate.t[gate.tc];
  const hex = mac(key, 'id|' + origin + '|' + visit.sub + '|' + nowMs).toString('hex');
  if (parseInt(hex.slice(18, 26), 16) / 4294967296 < gate.sq) {
    return toDesk(visit, 'sample-queue');
  }
  const time = ('00000000000' + nowMs.toString(16)).slice(-12);
  const id = time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6, 18);
  const iat = Math.floor(now);
  const lot = lotteryTicket(gate, visit.event, visit.sub, id);
  const wait = remaining(gate, visit.line, lotteryNumber(gate, lot), 0, now);
  const boff = backoff(gate, id, wait, now);
  const claims = {
    id: id, evt: visit.event, sub: visit.sub, iat: iat, h: onGrid(operationalTime(lineAt(gate.ep, iat), iat)),
    lot: lot, ch: challenge(key, id), pow: gate.p
  };
  return answer(200, 'OK', `{"state":"${stateShown(gate, now)}","token":"${issued(gate, claims, boff)}",` +
    `"challenge":{"ch":"${claims.ch}","pow":${gate.p}},"boff":${boff},` +
    `"opens_at":"${new Date(gate.ds * 1000).toISOString()}","now":${iat},"estimate":${estimate(gate, wait)}}`);
}

// Admitted, or the same place with the time to come back.
function attempt(visit) {
  const gate = visit.gate;
  const now = visit.now;
  const place = placeOf(headerOf(visit.request, 'x-fairgate-token'), gate.t);
  const wrong = violation(visit, place);
  if (wrong !== '') {
    return toDesk(visit, wrong);
  }
  const u = lotteryNumber(gate, place[LOT]);
  const x = progress(visit.line, onGrid(Number(place[H])), now);
  if (gate.s !== 'paused' && (gate.ou > now || u < admissionProbability(x, gate.k))) {
    return sampled(place[ID], gate.sa) ? toDesk(visit, 'sample-admit') : forwarded(visit, 'admit');
  }
  const wait = remaining(gate, visit.line, u, x, now);
  const boff = backoff(gate, place[ID], wait, now);
  const second = Math.floor(now);
  const after = String(boff - second);
  const pause = gate.s === 'paused' ? `,"retry_after":${after}` : '';
  const said = answer(202, 'Accepted', `{"state":"${stateShown(gate, now)}","token":"${postponed(gate, place, boff)}",` +
    `"boff":${boff},"now":${second},"estimate":${estimate(gate, wait)}${pause}}`);
  said.headers['retry-after'] = { value: after };
  return said;
}

function violation(visit, place) {
  if (place === null || fromTheFuture(place[IAT], visit.now)) {
    return 'bad-token';
  }
  if (place[EVT] !== visit.event) {
    return 'other-event';
  }
  if (place[SUB] !== visit.sub) {
    return 'other-user';
  }
  if (Number(place[EXP]) <= visit.now) {
    return 'expired-token';
  }
  if (visit.now < Number(place[BOFF]) - 2) {
    return 'early';
  }
  const nonce = headerOf(visit.request, 'x-fairgate-solution');
  if (nonce === '') {
    return 'no-solution';
  }
  return matched(NONCE, nonce) !== null && solves(place[CH], Number(place[POW]), nonce) ? '' : 'bad-solution';
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
