// One request at the gate: answered here, or sent on with the gate's word in x-fairgate-edge.

import cf from 'cloudfront';
import {
  AUTH_HEAD,
  AUTH_KEY,
  CLOSED,
  CURVE,
  DOORS,
  DRAINING,
  DRAW_KEY,
  EDGE_KEY,
  END,
  HEADS,
  OPEN,
  OPEN_UNTIL,
  PAUSED,
  POW_BITS,
  SAMPLE_ADMISSION,
  SOLD_OUT,
  STATE,
  TOKEN_KEY,
  epochAt,
  olderAuth,
  olderToken,
  rulesOf
} from './gate.js';
import { mac, signature } from './mac.js';
import {
  admissionProbability,
  backoff,
  billionths,
  challenge,
  drawn,
  estimate,
  lotteryNumber,
  lotteryTicket,
  operationalTime,
  remaining,
  sampled,
  solves,
  stateShown
} from './draw.js';
import {
  AHEAD_S,
  BOFF,
  CALLER,
  CALLER_EXP,
  CALLER_IAT,
  CH,
  DIGITS,
  EVT,
  EXP,
  H,
  IAT,
  LOT,
  PAYLOAD,
  POW,
  SUB,
  bothOf,
  callerOf,
  issued,
  postponed,
  withScheme
} from './token.js';
import { answer, problem } from './answer.js';

const PATH = '/api/events/';
const PATH_CHARS = 12;
const ADMISSION = '/admission';
const ADMISSION_CHARS = 10;
const QUEUE = '/queue';
const QUEUE_CHARS = 6;
const EVENT_CHARS_MAX = 40;
const EDGE = 'x-fairgate-edge';
const SIGN_CHARS = 22;
const SIGN_IN_ENDED = 'sign-in-ended';
const PLACE_ENDED = 'waiting-token-ended';

// Whatever is asynchronous happens here, and little else: each further `await` costs as much as a
// hash, and what is called behind one is called dearly.
export async function handler(event) {
  var name,
    attempts,
    text = null;
  try {
    var request = event.request,
      uri = request.uri;
    name = uri.slice(PATH_CHARS, -ADMISSION_CHARS);
    attempts = uri === PATH + name + ADMISSION;
    if (!attempts) {
      name = uri.slice(PATH_CHARS, -QUEUE_CHARS);
    }
    if ((attempts || uri === PATH + name + QUEUE) && request.method === 'POST') {
      text = await cf.kvs().get('e:' + name);
    }
  } catch (error) {
    text = await whyUnread(name, error);
  }
  return answered(event, name, attempts, text);
}

// A missing key rejects like any failure; only a second question tells them apart. null for an event
// that there is not, '' while the store does not answer.
async function whyUnread(name, error) {
  try {
    var exists = name.length <= EVENT_CHARS_MAX && (await cf.kvs().exists('e:' + name));
    if (exists === false) {
      return null;
    }
  } catch (second) {
    console.log('gate: ' + second);
  }
  console.log('gate: ' + error);
  return '';
}

function answered(event, name, attempts, text) {
  try {
    if (text === null) {
      return unasked(event, name, attempts);
    }
    var rules = rulesOf(text),
      state = rules[STATE];
    if (state !== OPEN && state !== PAUSED && !(state === DRAINING && attempts)) {
      return over(event, state);
    }
    var nowMs = Date.now(),
      at = epochAt(rules, nowMs / 1000);
    return attempts ? attempt(event, rules, text, name, nowMs / 1000, at) : join(event, rules, text, name, nowMs, at);
  } catch (error) {
    if (text !== '') {
      console.log('gate: ' + error);
    }
    return refused(
      event,
      503,
      'Service Unavailable',
      'dependency-unavailable',
      'The gate cannot decide right now. Your place is safe.',
      { 'retry-after': '5' }
    );
  }
}

function unasked(event, name, attempts) {
  var request = event.request;
  if (request.uri !== PATH + name + (attempts ? ADMISSION : QUEUE) || name.length > EVENT_CHARS_MAX) {
    return refused(event, 404, 'Not Found', 'not-found', 'There is nothing here.', {});
  }
  return request.method === 'POST'
    ? refused(event, 404, 'Not Found', 'not-found', 'There is no such event.', {})
    : refused(event, 405, 'Method Not Allowed', 'method-not-allowed', 'Only POST is possible here.', { allow: 'POST' });
}

function refused(event, status, reason, code, detail, more) {
  return problem(status, reason, code, detail, event.context ? event.context.requestId : '', more);
}

// Draining takes nobody new in, and lets in who waits.
function over(event, state) {
  var draining = state === DRAINING,
    soldOut = state === SOLD_OUT;
  if (!draining && !soldOut && state !== CLOSED) {
    throw new Error('the gate has no such state');
  }
  var word = draining ? 'The waiting room takes nobody new in.' : soldOut ? 'Everything is sold.' : 'The sale is over.';
  return refused(event, 410, 'Gone', 'sale-over', word, {
    state: draining ? 'draining' : soldOut ? 'soldout' : 'closed'
  });
}

function headerOf(headers, name) {
  var entry = headers[name];
  return entry ? entry.value : '';
}

// The claims of who is calling, or what is wrong with them.
function knownCaller(bearer, rules, text, now) {
  var value = withScheme(bearer);
  if (value === '') {
    return 'no-auth';
  }
  var older = olderAuth(text);
  var claims =
    callerOf(value, text.slice(rules[AUTH_HEAD], rules[END]), text.slice(AUTH_KEY, EDGE_KEY)) ||
    (older && callerOf(value, older[0], older[1]));
  return !claims || +claims[CALLER_IAT] > now + AHEAD_S
    ? 'bad-auth'
    : +claims[CALLER_EXP] > now
      ? claims
      : SIGN_IN_ENDED;
}

// Whoever is not signed in: the desk counts them, but not one whose sign-in merely ended.
function stranger(event, text, name, now, why) {
  return why === SIGN_IN_ENDED
    ? ended(event, why, 'Your sign-in has ended. Please sign in again.')
    : toDesk(event, text, name, '', now, why);
}

// Two different ends: a page lets go of its place at the second one only.
function ended(event, code, detail) {
  return refused(event, 401, 'Unauthorized', code, detail, {});
}

// A place in the room: everything in the token, nothing stored.
function join(event, rules, text, name, nowMs, at) {
  var request = event.request;
  var now = nowMs / 1000;
  var caller = knownCaller(headerOf(request.headers, 'authorization'), rules, text, now);
  if (typeof caller === 'string') {
    return stranger(event, text, name, now, caller);
  }
  var sub = caller[CALLER];
  var claim = name + '|' + sub;
  var draw = drawn(text, claim);
  if (sampled(rules, draw)) {
    return toDesk(event, text, name, sub, now, 'sample-queue');
  }
  var key = text.slice(TOKEN_KEY, AUTH_KEY);
  var hex = mac(key, 'id|' + event.context.requestId + '|' + event.viewer.ip + '|' + sub + '|' + nowMs).toString('hex');
  var time = ('00000000000' + nowMs.toString(16)).slice(-12);
  var id =
    time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6, 18);
  var iat = Math.floor(now);
  var lot = lotteryTicket(rules, text, draw, claim, id);
  var wait = remaining(rules, at, lotteryNumber(text, lot), 0, now);
  var boff = backoff(rules, id.slice(-8), lot, wait, now);
  var claims = {
    id: id,
    evt: name,
    sub: sub,
    iat: iat,
    h: billionths(operationalTime(rules, epochAt(rules, iat), iat)),
    lot: lot,
    ch: challenge(key, id),
    pow: rules[POW_BITS]
  };
  var token = issued(rules, text.slice(HEADS, rules[AUTH_HEAD]), key, claims, boff);
  return answer(
    200,
    'OK',
    `{"state":"${stateShown(rules, now)}","token":"${token}",` +
      `"challenge":{"ch":"${claims.ch}","pow":${claims.pow}},"boff":${boff},` +
      `"opens_at":"${new Date(rules[DOORS] * 1000).toISOString()}","now":${iat},"estimate":${estimate(rules, wait)}}`
  );
}

// Admitted, or the same place with the time to come back.
function attempt(event, rules, text, name, now, at) {
  var request = event.request,
    headers = request.headers;
  var auth = headers.authorization,
    ticket = headers['x-fairgate-token'],
    solution = headers['x-fairgate-solution'];
  var bearer = auth ? auth.value : '',
    token = ticket ? ticket.value : '';
  var head = text.slice(HEADS, rules[AUTH_HEAD]),
    key = text.slice(TOKEN_KEY, AUTH_KEY);
  var place =
    bothOf(bearer, token, text.slice(rules[AUTH_HEAD], rules[END]), text.slice(AUTH_KEY, EDGE_KEY), head, key) ||
    rareOf(bearer, token, rules, text);
  if (!place || +place[CALLER_EXP] <= now || +place[CALLER_IAT] > now + AHEAD_S) {
    var caller = knownCaller(bearer, rules, text, now);
    return typeof caller === 'string'
      ? stranger(event, text, name, now, caller)
      : toDesk(event, text, name, caller[CALLER], now, 'bad-token');
  }
  var sub = place[CALLER];
  var wrong = violation(place, solution ? solution.value : '', name, now);
  if (wrong === PLACE_ENDED) {
    return ended(event, wrong, 'Your waiting token has ended. Please join again.');
  }
  if (wrong !== '') {
    return toDesk(event, text, name, sub, now, wrong);
  }
  var u = lotteryNumber(text, place[LOT]);
  var grown = operationalTime(rules, at, now) - place[H] / 1e9;
  var x = grown > 0 ? grown : 0;
  var paused = rules[STATE] === PAUSED;
  if (!paused && (rules[OPEN_UNTIL] > now || u < admissionProbability(x, rules[CURVE]))) {
    var share = parseInt(place[DIGITS], 16) / 4294967296; // of an HMAC, so nobody chooses to be in the sample
    return share < rules[SAMPLE_ADMISSION]
      ? toDesk(event, text, name, sub, now, 'sample-admit')
      : forwarded(event, text, name, sub, now, 'admit');
  }
  var wait = remaining(rules, at, u, x, now);
  var boff = backoff(rules, place[DIGITS], place[LOT], wait, now);
  var second = now - (now % 1);
  var after = '' + (boff - second);
  return {
    statusCode: 202,
    statusDescription: 'Accepted',
    headers: {
      'content-type': { value: 'application/json' },
      'cache-control': { value: 'no-store' },
      'retry-after': { value: after }
    },
    body:
      `{"state":"${stateShown(rules, now)}","token":"${postponed(rules, head, key, place[PAYLOAD], boff)}",` +
      `"boff":${boff},"now":${second},"estimate":${estimate(rules, wait)}${paused ? ',"retry_after":' + after : ''}}`
  };
}

// Under an older key, or with another spelling of the scheme. Asks for no pair of keys twice, so that
// a forger costs no more than they must.
function rareOf(bearer, token, rules, text) {
  var value = withScheme(bearer);
  var authHead = text.slice(rules[AUTH_HEAD], rules[END]),
    authKey = text.slice(AUTH_KEY, EDGE_KEY);
  var head = text.slice(HEADS, rules[AUTH_HEAD]),
    key = text.slice(TOKEN_KEY, AUTH_KEY);
  var auth = olderAuth(text),
    older = olderToken(text);
  return (
    (value !== bearer && bothOf(value, token, authHead, authKey, head, key)) ||
    (older && bothOf(value, token, authHead, authKey, older[0], older[1])) ||
    (auth && bothOf(value, token, auth[0], auth[1], head, key)) ||
    (auth && older && bothOf(value, token, auth[0], auth[1], older[0], older[1]))
  );
}

function violation(place, nonce, event, now) {
  if (+place[IAT] > now + AHEAD_S) {
    return 'bad-token';
  }
  if (place[EVT] !== event) {
    return 'other-event';
  }
  if (place[SUB] !== place[CALLER]) {
    return 'other-user';
  }
  if (+place[EXP] <= now) {
    return PLACE_ENDED;
  }
  if (now < place[BOFF] - 2) {
    return 'early';
  }
  if (nonce === '') {
    return 'no-solution';
  }
  return solves(place[CH], +place[POW], nonce) ? '' : 'bad-solution';
}

function forwarded(event, text, name, sub, now, verdict) {
  var address = event.viewer.ip,
    request = event.request,
    t = now - (now % 1);
  var sign = signature(
    text.slice(EDGE_KEY, DRAW_KEY),
    'v2|' + t + '|' + verdict + '|' + name + '|' + sub + '|' + address
  ).slice(0, SIGN_CHARS);
  request.headers[EDGE] = { value: 'v2.' + t + '.' + verdict + '.' + sign + '.' + address };
  return request;
}

// The cache behaviour stays that of the gated route, which never caches.
function toDesk(event, text, name, sub, now, verdict) {
  var request = forwarded(event, text, name, sub, now, verdict);
  request.uri = '/api/desk';
  request.querystring = { event: { value: name } };
  return request;
}
