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
  LEAST_S,
  OPEN,
  OPEN_UNTIL,
  PAUSED,
  POW_BITS,
  SAMPLE_ADMISSION,
  SAMPLE_VIOLATIONS,
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
  chosen,
  drawn,
  estimate,
  firstLook,
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
  bearerOf,
  bothOf,
  callerOf,
  issued,
  mayVerify,
  postponed
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
const NO_AUTH = 'no-auth';
const BAD_AUTH = 'bad-auth';
const BAD_TOKEN = 'bad-token';
const OTHER_USER = 'other-user';
const OTHER_EVENT = 'other-event';
const EARLY = 'early';
const NO_SOLUTION = 'no-solution';
const SIGN_IN_ENDED = 'sign-in-ended';
const PLACE_ENDED = 'waiting-token-ended';

// Whatever is asynchronous happens here, and little else: each further `await` costs as much as a
// hash, and what is called behind one is called dearly. Whoever cannot be signed in costs no read.
export async function handler(event) {
  var name,
    attempts,
    bearer,
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
      bearer = bearerOf(request.headers.authorization);
      if (!mayVerify(bearer)) {
        return stranger(event, bearer === '' ? NO_AUTH : BAD_AUTH);
      }
      text = await cf.kvs().get('e:' + name);
    }
  } catch (error) {
    text = await whyUnread(name, error);
  }
  return answered(event, name, attempts, bearer, text);
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

function answered(event, name, attempts, bearer, text) {
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
    return attempts
      ? attempt(event, rules, text, name, bearer, nowMs / 1000, at)
      : join(event, rules, text, name, bearer, nowMs, at);
  } catch (error) {
    if (text !== '') {
      console.log('gate: ' + error);
    }
    return problem(event, 503, 'dependency-unavailable', 'The gate cannot decide right now. Your place is safe.', 5);
  }
}

function unasked(event, name, attempts) {
  var request = event.request,
    here = request.uri === PATH + name + (attempts ? ADMISSION : QUEUE) && name.length <= EVENT_CHARS_MAX;
  if (!here || request.method === 'POST') {
    return problem(event, 404, 'not-found', here ? 'There is no such event.' : 'There is nothing here.');
  }
  var response = problem(event, 405, 'method-not-allowed', 'Only POST is possible here.');
  response.headers.allow = { value: 'POST' };
  return response;
}

// Draining takes nobody new in, and lets in who waits.
function over(event, state) {
  var draining = state === DRAINING,
    soldOut = state === SOLD_OUT;
  if (!draining && !soldOut && state !== CLOSED) {
    throw new Error('the gate has no such state');
  }
  return problem(
    event,
    410,
    'sale-over',
    draining ? 'The waiting room takes nobody new in.' : soldOut ? 'Everything is sold.' : 'The sale is over.',
    0,
    `,"state":"${draining ? 'draining' : soldOut ? 'soldout' : 'closed'}"`
  );
}

// The claims of who is calling, or what is wrong with them.
function knownCaller(bearer, rules, text, now) {
  var older = olderAuth(text);
  var claims =
    callerOf(bearer, text.slice(rules[AUTH_HEAD], rules[END]), text.slice(AUTH_KEY, EDGE_KEY)) ||
    (older && callerOf(bearer, older[0], older[1]));
  return !claims || +claims[CALLER_IAT] > now + AHEAD_S ? BAD_AUTH : +claims[CALLER_EXP] > now ? claims : SIGN_IN_ENDED;
}

// Whoever is not signed in is told so here, and no further on. Of the two different ends, that of the
// sign-in and that of the place, a page lets go of its place at the second one only.
function stranger(event, why) {
  var ended = why === SIGN_IN_ENDED || why === PLACE_ENDED;
  return problem(
    event,
    401,
    ended ? why : 'unauthenticated',
    why === SIGN_IN_ENDED
      ? 'Your sign-in has ended. Please sign in again.'
      : ended
        ? 'Your waiting token has ended. Please join again.'
        : why === NO_AUTH
          ? 'Please sign in first.'
          : 'Your sign-in does not verify. Please sign in again.'
  );
}

// What breaks the rules is answered here as the desk would; of a share of it the desk hears.
function violated(event, rules, text, name, place, now, verdict) {
  if (chosen(text, event.context.requestId, rules[SAMPLE_VIOLATIONS])) {
    return toDesk(event, text, name, place[CALLER], now, verdict);
  }
  var early = verdict === EARLY,
    token = 'This waiting token ',
    solution = 'The solution of the challenge is ',
    forbids = verdict === BAD_TOKEN || verdict === OTHER_USER || verdict === OTHER_EVENT,
    left = place[BOFF] - now + (now % 1),
    least = rules[LEAST_S];
  return problem(
    event,
    forbids ? 403 : 429,
    forbids ? 'forbidden' : 'too-early',
    verdict === BAD_TOKEN
      ? token + 'does not verify.'
      : forbids
        ? token + 'belongs to ' + (verdict === OTHER_USER ? 'somebody else.' : 'another event.')
        : early
          ? 'You asked before your time. Asking earlier never helps.'
          : solution + (verdict === NO_SOLUTION ? 'missing.' : 'wrong.'),
    forbids ? 0 : left > least ? left : least,
    `,"verdict":"${verdict}"`
  );
}

// A place in the room: everything in the token, nothing stored.
function join(event, rules, text, name, bearer, nowMs, at) {
  var now = nowMs / 1000;
  var caller = knownCaller(bearer, rules, text, now);
  if (typeof caller === 'string') {
    return stranger(event, caller);
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
      `"opens_at":"${new Date(rules[DOORS] * 1000).toISOString()}","now":${iat},` +
      `"estimate":${estimate(rules, at, wait, now)}}`
  );
}

// Admitted, or the same place with the time to come back.
function attempt(event, rules, text, name, bearer, now, at) {
  var headers = event.request.headers;
  var ticket = headers['x-fairgate-token'],
    solution = headers['x-fairgate-solution'];
  var token = ticket ? ticket.value : '';
  var head = text.slice(HEADS, rules[AUTH_HEAD]),
    key = text.slice(TOKEN_KEY, AUTH_KEY),
    authHead = text.slice(rules[AUTH_HEAD], rules[END]),
    authKey = text.slice(AUTH_KEY, EDGE_KEY);
  var place =
    bothOf(bearer, token, authHead, authKey, head, key) || rareOf(bearer, token, text, authHead, authKey, head, key);
  if (!place || +place[CALLER_EXP] <= now || +place[CALLER_IAT] > now + AHEAD_S) {
    var caller = knownCaller(bearer, rules, text, now);
    return typeof caller === 'string'
      ? stranger(event, caller)
      : violated(event, rules, text, name, caller, now, BAD_TOKEN);
  }
  var wrong = violation(place, solution ? solution.value : '', name, now);
  if (wrong !== '') {
    return wrong === PLACE_ENDED ? stranger(event, wrong) : violated(event, rules, text, name, place, now, wrong);
  }
  var u = lotteryNumber(text, place[LOT]);
  var grown = operationalTime(rules, at, now) - place[H] / 1e9;
  var x = grown > 0 ? grown : 0;
  var paused = rules[STATE] === PAUSED;
  // A place that nobody renewed before the doors names an earlier `boff` than its moment in the wave.
  if (
    !paused &&
    (rules[OPEN_UNTIL] > now ||
      (u < admissionProbability(x, rules[CURVE]) && now >= firstLook(rules, place[LOT], now) - 2))
  ) {
    var share = rules[SAMPLE_ADMISSION];
    return share > 0 && chosen(text, event.context.requestId, share)
      ? toDesk(event, text, name, place[CALLER], now, 'sample-admit')
      : forwarded(event, text, name, place[CALLER], now, 'admit');
  }
  var wait = remaining(rules, at, u, x, now);
  var boff = backoff(rules, place[DIGITS], place[LOT], wait, now);
  var second = now - (now % 1);
  var after = boff - second;
  return answer(
    202,
    'Accepted',
    `{"state":"${stateShown(rules, now)}","token":"${postponed(rules, head, key, place[PAYLOAD], boff)}",` +
      `"boff":${boff},"now":${second},` +
      `"estimate":${estimate(rules, at, wait, now)}${paused ? ',"retry_after":' + after : ''}}`,
    after
  );
}

// Under an older key. Asks for no pair of keys twice, so that a forger costs no more than they must.
function rareOf(bearer, token, text, authHead, authKey, head, key) {
  var auth = olderAuth(text),
    older = olderToken(text);
  return (
    (older && bothOf(bearer, token, authHead, authKey, older[0], older[1])) ||
    (auth &&
      (bothOf(bearer, token, auth[0], auth[1], head, key) ||
        (older && bothOf(bearer, token, auth[0], auth[1], older[0], older[1]))))
  );
}

function violation(place, nonce, event, now) {
  return +place[IAT] > now + AHEAD_S
    ? BAD_TOKEN
    : place[EVT] !== event
      ? OTHER_EVENT
      : place[SUB] !== place[CALLER]
        ? OTHER_USER
        : +place[EXP] <= now
          ? PLACE_ENDED
          : now < place[BOFF] - 2
            ? EARLY
            : nonce === ''
              ? NO_SOLUTION
              : solves(place[CH], +place[POW], nonce)
                ? ''
                : 'bad-solution';
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
