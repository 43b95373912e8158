// One request at the gate: answered here, or sent on with the gate's word in x-fairgate-edge.

import { AUTH_HEAD, CURVE, DOORS, OPEN_UNTIL, POW_BITS, SAMPLE_ADMISSION, SAMPLE_QUEUE, STATE, TOKEN_HEAD, edgeKey, isKnown, keyOf, lineAt, rulesOf, storedGate } from './gate.js';
import { mac, short } from './mac.js';
import { admissionProbability, backoff, billionths, challenge, estimate, lotteryNumber, lotteryTicket, operationalTime, progress, remaining, solves, stateShown } from './draw.js';
import { BOFF, CALLER, CALLER_EXP, CALLER_IAT, CH, EVT, EXP, H, IAT, ID, LOT, POW, SUB, bothOf, callerOf, fromTheFuture, issued, postponed, withScheme } from './token.js';
import { answer, problem } from './answer.js';

const PATH = '/api/events/';
const EVENT_CHARS_MAX = 40;
const EDGE = 'x-fairgate-edge';

// Everything happens in this one asynchronous function or in plain ones: each further `await`
// would cost as much as a hash.
export async function handler(event) {
  try {
    const request = event.request;
    delete request.headers[EDGE];
    const uri = request.uri;
    const attempts = uri.endsWith('/admission');
    const name = uri.slice(PATH.length, attempts ? -10 : -6);
    if (!uri.startsWith(PATH) || !attempts && !uri.endsWith('/queue') || name.length > EVENT_CHARS_MAX) {
      return refused(event, 404, 'Not Found', 'not-found', 'There is nothing here.', {});
    }
    if (request.method !== 'POST') {
      return refused(event, 405, 'Method Not Allowed', 'method-not-allowed', 'Only POST is possible here.', { allow: 'POST' });
    }
    let text;
    try {
      text = await storedGate(name);
    } catch (error) {
      const known = await isKnown(name);
      if (known === false) {
        return refused(event, 404, 'Not Found', 'not-found', 'There is no such event.', {});
      }
      throw error;
    }
    return decided(event, rulesOf(text), text, name, attempts);
  } catch (error) {
    console.log('gate: ' + error);
    return refused(event, 503, 'Service Unavailable', 'dependency-unavailable',
      'The gate cannot decide right now. Your place is safe.', { 'retry-after': '5' });
  }
}

function refused(event, status, reason, code, detail, more) {
  return problem(status, reason, code, detail, event.context ? event.context.requestId : '', more);
}

function decided(event, rules, text, name, attempts) {
  const word = finalWord(rules[STATE], attempts);
  if (word !== '') {
    return refused(event, 410, 'Gone', 'sale-over', word, { state: rules[STATE] });
  }
  const nowMs = Date.now();
  const line = lineAt(text, nowMs / 1000);
  return attempts ? attempt(event.request, rules, text, name, nowMs / 1000, line) :
    join(event, rules, text, name, nowMs, line);
}

// Draining takes nobody new in, and lets in who waits.
function finalWord(state, attempts) {
  if (state === 'open' || state === 'paused') {
    return '';
  }
  if (state === 'draining') {
    return attempts ? '' : 'The waiting room takes nobody new in.';
  }
  return state === 'soldout' ? 'Everything is sold.' : 'The sale is over.';
}

function headerOf(headers, name) {
  const entry = headers[name];
  return entry === undefined ? '' : entry.value;
}

// The claims of who is calling, or what is wrong with them.
function knownCaller(bearer, rules, text, now) {
  const value = withScheme(bearer);
  if (value === '') {
    return 'no-auth';
  }
  const claims = callerOf(value, rules, text, AUTH_HEAD) || callerOf(value, rules, text, AUTH_HEAD + 1);
  return claims !== null && inTime(claims, now) ? claims : 'bad-auth';
}

function inTime(claims, now) {
  return +claims[CALLER_EXP] > now && !fromTheFuture(claims[CALLER_IAT], now);
}

// A place in the room: everything in the token, nothing stored.
function join(event, rules, text, name, nowMs, line) {
  const request = event.request;
  const now = nowMs / 1000;
  const caller = knownCaller(headerOf(request.headers, 'authorization'), rules, text, now);
  if (typeof caller === 'string') {
    return toDesk(request, text, name, '', now, caller);
  }
  const sub = caller[CALLER];
  const key = keyOf(text, TOKEN_HEAD);
  const hex = mac(key, 'id|' + event.context.requestId + '|' + event.viewer.ip + '|' + sub + '|' + nowMs).toString('hex');
  if (parseInt(hex.slice(18, 26), 16) / 4294967296 < rules[SAMPLE_QUEUE]) {
    return toDesk(request, text, name, sub, now, 'sample-queue');
  }
  const time = ('00000000000' + nowMs.toString(16)).slice(-12);
  const id = time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6, 18);
  const iat = Math.floor(now);
  const lot = lotteryTicket(rules, text, name, sub, id);
  const wait = remaining(rules, line, lotteryNumber(text, lot), 0, now);
  const boff = backoff(rules, id, wait, now);
  const claims = {
    id: id, evt: name, sub: sub, iat: iat, h: billionths(operationalTime(lineAt(text, iat), iat)),
    lot: lot, ch: challenge(key, id), pow: rules[POW_BITS]
  };
  return answer(200, 'OK', `{"state":"${stateShown(rules, now)}","token":"${issued(rules, text, claims, boff)}",` +
    `"challenge":{"ch":"${claims.ch}","pow":${claims.pow}},"boff":${boff},` +
    `"opens_at":"${new Date(rules[DOORS] * 1000).toISOString()}","now":${iat},"estimate":${estimate(rules, wait)}}`);
}

// Admitted, or the same place with the time to come back.
function attempt(request, rules, text, name, now, line) {
  const bearer = headerOf(request.headers, 'authorization');
  const token = headerOf(request.headers, 'x-fairgate-token');
  const place = bothOf(bearer, token, rules, text, AUTH_HEAD, TOKEN_HEAD) || rareOf(bearer, token, rules, text);
  if (place === null || !inTime(place, now)) {
    const caller = knownCaller(bearer, rules, text, now);
    return typeof caller === 'string' ? toDesk(request, text, name, '', now, caller) :
      toDesk(request, text, name, caller[CALLER], now, 'bad-token');
  }
  const sub = place[CALLER];
  const wrong = violation(place, headerOf(request.headers, 'x-fairgate-solution'), name, now);
  if (wrong !== '') {
    return toDesk(request, text, name, sub, now, wrong);
  }
  const u = lotteryNumber(text, place[LOT]);
  const x = progress(line, place[H] / 1e9, now);
  const paused = rules[STATE] === 'paused';
  if (!paused && (rules[OPEN_UNTIL] > now || u < admissionProbability(x, rules[CURVE]))) {
    return sampled(place[ID], rules[SAMPLE_ADMISSION]) ? toDesk(request, text, name, sub, now, 'sample-admit') :
      forwarded(request, text, name, sub, now, 'admit');
  }
  const wait = remaining(rules, line, u, x, now);
  const boff = backoff(rules, place[ID], wait, now);
  const second = now - now % 1;
  const after = '' + (boff - second);
  const said = answer(202, 'Accepted', `{"state":"${stateShown(rules, now)}","token":"${postponed(rules, text, token, boff)}",` +
    `"boff":${boff},"now":${second},"estimate":${estimate(rules, wait)}${paused ? ',"retry_after":' + after : ''}}`);
  said.headers['retry-after'] = { value: after };
  return said;
}

// Under an older key, or with another spelling of the scheme. Asks for no pair of keys twice, so that
// a forger costs no more than they must.
function rareOf(bearer, token, rules, text) {
  const value = withScheme(bearer);
  const olderAuth = rules[AUTH_HEAD + 1] !== rules[AUTH_HEAD];
  const olderToken = rules[TOKEN_HEAD + 1] !== rules[TOKEN_HEAD];
  return value !== bearer && bothOf(value, token, rules, text, AUTH_HEAD, TOKEN_HEAD) ||
    olderToken && bothOf(value, token, rules, text, AUTH_HEAD, TOKEN_HEAD + 1) ||
    olderAuth && bothOf(value, token, rules, text, AUTH_HEAD + 1, TOKEN_HEAD) ||
    olderAuth && olderToken && bothOf(value, token, rules, text, AUTH_HEAD + 1, TOKEN_HEAD + 1) || null;
}

function violation(place, nonce, event, now) {
  if (fromTheFuture(place[IAT], now)) {
    return 'bad-token';
  }
  if (place[EVT] !== event) {
    return 'other-event';
  }
  if (place[SUB] !== place[CALLER]) {
    return 'other-user';
  }
  if (+place[EXP] <= now) {
    return 'expired-token';
  }
  if (now < place[BOFF] - 2) {
    return 'early';
  }
  if (nonce === '') {
    return 'no-solution';
  }
  return solves(place[CH], +place[POW], nonce) ? '' : 'bad-solution';
}

// Whether this token's admission belongs to the sample: its id is an HMAC, so nobody chooses.
function sampled(id, share) {
  return parseInt(id.slice(-12, -4), 16) / 4294967296 < share;
}

function forwarded(request, text, event, sub, now, verdict) {
  const t = Math.floor(now);
  const said = t + '|' + verdict;
  const sign = short(mac(edgeKey(text), 'v1|' + said + '|' + event + '|' + sub));
  request.headers[EDGE] = { value: 'v1.' + t + '.' + verdict + '.' + sign };
  return request;
}

// The cache behaviour stays that of the gated route, which never caches.
function toDesk(request, text, event, sub, now, verdict) {
  forwarded(request, text, event, sub, now, verdict);
  request.uri = '/api/desk';
  request.querystring = { event: { value: event } };
  return request;
}
