// One request at the gate: answered here, or sent on with the gate's word in x-fairgate-edge.

import cf from 'cloudfront';
import {
  AUTH_HEAD,
  AUTH_KEY,
  CLOSED,
  CURVE,
  DRAFT,
  SALE_START,
  DRAINING,
  DRAW_KEY,
  EDGE_KEY,
  END,
  HEADS,
  LARGEST,
  LEAST_S,
  LIFE_S,
  MODE,
  OPEN,
  OPEN_UNTIL,
  PAUSED,
  PER_TOKEN,
  POW_BITS,
  SAMPLE_ADMISSION,
  SAMPLE_VIOLATIONS,
  SOLD_OUT,
  STATE,
  TOKEN_KEY,
  broken,
  epochAt,
  mustBeWhole,
  olderAuth,
  olderToken,
  rulesOf
} from './gate.js';
import { hmac, mac, signature } from './mac.js';
import {
  admissionProbability,
  backoff,
  billionths,
  chosen,
  drawn,
  firstLook,
  lotteryNumber,
  lotteryTicket,
  operationalTime,
  remaining,
  sampled,
  shown,
  solves
} from './draw.js';
import {
  AHEAD_S,
  BAD_AUTH,
  BEARER_CHARS_MAX,
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
  NO_AUTH,
  PAYLOAD,
  POW,
  SEAL_CHARS,
  SIGNED_IN,
  SLIP_CHARS_MIN,
  SLIP_DIGITS,
  SLIP_H,
  SLIP_LOT,
  SLIP_UNTIL,
  SUB,
  bearerOf,
  callerOf,
  issued,
  placeOf,
  postponed,
  slipOf
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
const GRACE_S = 2;
const BAD_TOKEN = 'bad-token';
const OTHER_USER = 'other-user';
const OTHER_EVENT = 'other-event';
const EARLY = 'early';
const NO_SOLUTION = 'no-solution';
const SIGN_IN_ENDED = 'sign-in-ended';
const PLACE_ENDED = 'waiting-token-ended';

// Whatever is asynchronous happens here, and little else: each further `await` costs as much as a
// hash, and what is called behind one costs much. A caller whose sign-in fails costs no read.
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
      bearer = request.headers.authorization;
      bearer = bearer ? bearer.value : '';
      if (!bearer.startsWith(SIGNED_IN) || bearer.length > BEARER_CHARS_MAX) {
        bearer = bearerOf(bearer);
        if (bearer === NO_AUTH || bearer === BAD_AUTH) {
          return stranger(event, bearer);
        }
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
      state = rules[STATE],
      nowMs = Date.now(),
      now = nowMs / 1000,
      at = epochAt(rules, now);
    return state === DRAFT && !(rules[OPEN_UNTIL] && rules[OPEN_UNTIL] <= now)
      ? unasked(event, name, attempts)
      : state === OPEN || state === PAUSED || state === DRAFT || (state === DRAINING && attempts)
        ? attempts
          ? attempt(event, rules, text, name, bearer, now, at)
          : join(event, rules, text, name, bearer, nowMs, at)
        : over(event, state);
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

// Draining: nobody new may join, and waiting buyers are admitted.
function over(event, state) {
  var draining = state === DRAINING,
    soldOut = state === SOLD_OUT;
  if (!draining && !soldOut && state !== CLOSED) {
    broken();
  }
  return problem(
    event,
    410,
    'sale-over',
    draining ? 'Nobody new may join the waiting room.' : soldOut ? 'Everything is sold.' : 'The sale is over.',
    0,
    `,"state":"${draining ? 'draining' : soldOut ? 'soldout' : 'closed'}"`
  );
}

// The claims of who is calling, or what is wrong with them.
function knownCaller(bearer, rules, text, now, at) {
  mustBeWhole(rules, at);
  var older = olderAuth(text);
  var claims =
    callerOf(bearer, text.slice(rules[AUTH_HEAD], rules[END]), text.slice(AUTH_KEY, EDGE_KEY)) ||
    (older && callerOf(bearer, older[0], older[1]));
  return !claims || +claims[CALLER_IAT] > now + AHEAD_S ? BAD_AUTH : +claims[CALLER_EXP] > now ? claims : SIGN_IN_ENDED;
}

// Answers a caller who is not signed in. A sign-in may have ended, or a place: a page gives its place up
// only in the second case.
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
function violated(event, rules, text, name, sub, boff, now, verdict) {
  if (chosen(text, event.context.requestId, rules[SAMPLE_VIOLATIONS])) {
    return toDesk(event, text, name, sub, now, verdict);
  }
  var early = verdict === EARLY,
    token = 'This waiting token ',
    solution = 'The solution of the challenge is ',
    forbids = verdict === BAD_TOKEN || verdict === OTHER_USER || verdict === OTHER_EVENT,
    left = boff - now + (now % 1),
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

// A place in the waiting room: all of it is in the token, nothing is stored.
function join(event, rules, text, name, bearer, nowMs, at) {
  var now = nowMs / 1000;
  var caller = knownCaller(bearer, rules, text, now, at);
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
  var secret = mac(key, 'id|' + event.context.requestId + '|' + event.viewer.ip + '|' + sub + '|' + nowMs);
  var hex = secret.toString('hex', 0, 9);
  var time = '0' + nowMs.toString(16); // twelve digits from 2004 to 2527
  var id =
    time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6);
  var iat = Math.floor(now);
  var from = epochAt(rules, iat);
  var lot = lotteryTicket(rules, text, draw, claim, id);
  var wait = remaining(rules, at, lotteryNumber(text, lot), 0, now);
  var boff = backoff(rules, id.slice(-8), lot, wait, now);
  var ch = secret.toString('base64url', 16);
  if (from !== at) {
    mustBeWhole(rules, from);
  }
  var token = issued(
    text.slice(HEADS, rules[AUTH_HEAD]),
    key,
    '{"exp":'.concat(
      boff + rules[LIFE_S],
      ',"boff":',
      boff,
      ',"lvl":0,"iat":',
      iat,
      ',"lot":"',
      lot,
      '","ch":"',
      ch,
      '","id":"',
      id,
      '","pow":',
      rules[POW_BITS],
      ',"h":',
      billionths(operationalTime(rules, from, iat)),
      ',"evt":"',
      name,
      '","sub":"',
      sub,
      '"'
    )
  );
  return answer(
    200,
    'OK',
    '{"token":"'.concat(
      token,
      '","challenge":{"ch":"',
      ch,
      '","pow":',
      rules[POW_BITS],
      '},"sale_starts_at":"',
      new Date(rules[SALE_START] * 1000).toISOString(),
      '",',
      shown(rules, at, wait, iat, boff),
      '}'
    )
  );
}

// Admitted, or the same place with the time to come back. What a genuine slip can answer at its time needs
// no more; all else goes the whole way. By a slip alone nobody is admitted, and no place outlives half of its
// token's life.
function attempt(event, rules, text, name, bearer, now, at) {
  var headers = event.request.headers,
    token = headers['x-fairgate-token'],
    slip = headers['x-fairgate-slip'],
    key = text.slice(TOKEN_KEY, AUTH_KEY),
    ends,
    second = now - (now % 1),
    place = null,
    start = rules[at],
    lot,
    u,
    x,
    wait,
    boff,
    left;
  token = token ? token.value : '';
  ends = token.slice(-SEAL_CHARS) + bearer.slice(-SEAL_CHARS);
  slip = slip && slip.value.length > SLIP_CHARS_MIN ? slipOf(slip.value, key, ends) : '';
  // As text: the first ten digits of what a slip says are its `boff`.
  var whole = !slip || '' + (second + GRACE_S + 1) < slip;
  for (;;) {
    if (whole) {
      place = examined(event, rules, text, name, bearer, now, at, token, key, slip);
      if (place.headers) {
        return place;
      }
      slip = place[BOFF] + place[EXP] + place[DIGITS] + place[LOT] + place[H];
    }
    lot = slip.slice(SLIP_LOT, SLIP_H);
    u = lotteryNumber(text, lot);
    x = (now > start ? rules[at + 1] + (now - start) * rules[at + 2] : rules[at + 1]) - slip.slice(SLIP_H) / 1e9;
    if (x < 0) {
      x = 0;
    }
    wait = remaining(rules, at, u, x, now);
    // P is needed only if the seconds to wait do not decide. A place that nobody renewed before the sale start
    // names an earlier `boff` than its moment in the wave.
    if (
      rules[STATE] !== PAUSED &&
      (rules[OPEN_UNTIL] > now ||
        ((!(wait > 0) || wait > LARGEST || rules[MODE] === PER_TOKEN) &&
          u < admissionProbability(x, rules[CURVE]) &&
          now >= firstLook(rules, lot, second) - GRACE_S))
    ) {
      if (place) {
        return admitted(event, rules, text, name, place[SUB], now);
      }
    } else {
      boff = '' + backoff(rules, slip.slice(SLIP_DIGITS, SLIP_LOT), lot, wait, now);
      lot = slip.slice(SLIP_UNTIL);
      if (place || boff < lot) {
        break;
      }
    }
    whole = true;
  }
  u = '';
  slip = boff + lot;
  if (place) {
    token = postponed(rules, text.slice(HEADS, rules[AUTH_HEAD]), key, place[PAYLOAD], +boff);
    u = '"token":"' + token + '",';
    left = +boff + (rules[LIFE_S] >> 1);
    slip = boff + (left < place[EXP] ? left : place[EXP]) + slip.slice(SLIP_DIGITS);
    ends = token.slice(-SEAL_CHARS) + bearer.slice(-SEAL_CHARS);
  }
  left = boff - second;
  return answer(
    202,
    'Accepted',
    '{"slip":"'.concat(
      slip,
      hmac('sha256', key)
        .update(ends + slip)
        .digest('base64url')
        .slice(0, SEAL_CHARS),
      '",',
      u,
      shown(rules, at, wait, second, boff),
      rules[STATE] === PAUSED ? ',"retry_after":' + left + '}' : '}'
    ),
    left
  );
}

// Both tokens verified, and all that they say held against the request: the place, with the sign-in's end in
// place of its own, or what is answered.
function examined(event, rules, text, name, bearer, now, at, token, key, slip) {
  var caller = knownCaller(bearer, rules, text, now, at);
  if (typeof caller === 'string') {
    return stranger(event, caller);
  }
  var older = olderToken(text),
    place = placeOf(token, text.slice(HEADS, rules[AUTH_HEAD]), key) || (older && placeOf(token, older[0], older[1])),
    wrong = BAD_TOKEN;
  if (place) {
    if (slip) {
      place[BOFF] = slip.slice(0, SLIP_UNTIL);
    }
    var solution = event.request.headers['x-fairgate-solution'];
    wrong = violation(place, caller[CALLER], solution ? solution.value : '', name, now);
    if (!wrong) {
      place[EXP] = caller[CALLER_EXP];
      return place;
    }
  }
  return wrong === PLACE_ENDED
    ? stranger(event, wrong)
    : violated(event, rules, text, name, caller[CALLER], place && place[BOFF], now, wrong);
}

function admitted(event, rules, text, name, sub, now) {
  var share = rules[SAMPLE_ADMISSION];
  return share > 0 && chosen(text, event.context.requestId, share)
    ? toDesk(event, text, name, sub, now, 'sample-admit')
    : forwarded(event, text, name, sub, now, 'admit');
}

function violation(place, sub, nonce, event, now) {
  return +place[IAT] > now + AHEAD_S
    ? BAD_TOKEN
    : place[EVT] !== event
      ? OTHER_EVENT
      : place[SUB] !== sub
        ? OTHER_USER
        : +place[EXP] <= now
          ? PLACE_ENDED
          : now < place[BOFF] - GRACE_S
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
