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
  OLDER_AUTH,
  OLDER_TOKEN,
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
  readRules,
  rules
} from './gate.js';
import { mac, signature } from './mac.js';
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
  CALLER_START,
  CH,
  DIGITS,
  EVT,
  EXP,
  H,
  IAT,
  LOT,
  NO_AUTH,
  PLACE,
  POW,
  SCHEME_CHARS,
  SEAL_CHARS,
  SLIP_CHARS_MIN,
  SLIP_DIGITS,
  SLIP_H,
  SLIP_LOT,
  SLIP_UNTIL,
  SUB,
  TOKEN_CHARS_MAX,
  TOKEN_START,
  claimsOf,
  issued,
  payloadOf,
  postponed,
  seal,
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
const SIGN_IN_ENDED = 'sign-in-ended';
const PLACE_ENDED = 'waiting-token-ended';

// The request that is being answered, and the rules that it meets. `answered` sets all of them, and nothing behind
// it waits: no other request runs in between. Passing them on costs more, at every call and in bytes.
var asked, request, name, bearer, text, now, second, at;

// Whatever is asynchronous happens here, and little else: each further `await` costs as much as a
// hash, and what is called behind one costs much. A caller whose sign-in fails costs no read.
export async function handler(event) {
  var named,
    attempts,
    signedIn,
    value = null;
  try {
    var uri = event.request.uri;
    attempts = uri.endsWith(ADMISSION);
    named = uri.slice(PATH_CHARS, attempts ? -ADMISSION_CHARS : -QUEUE_CHARS);
    if (uri === PATH + named + (attempts ? ADMISSION : QUEUE) && event.request.method === 'POST') {
      signedIn = event.request.headers.authorization;
      // Two of them are none: the origin would read them as one, and the firewall counts joins by this header.
      signedIn = signedIn && !signedIn.multiValue ? signedIn.value : '';
      asked = event;
      // Any spelling of the scheme counts (RFC 9110, section 11.1).
      if (!signedIn.startsWith('Bearer ') && signedIn.slice(0, SCHEME_CHARS).toLowerCase() !== 'bearer ') {
        return stranger(NO_AUTH);
      }
      if (!signedIn.startsWith(CALLER_START, SCHEME_CHARS) || signedIn.length > BEARER_CHARS_MAX) {
        return stranger(BAD_AUTH);
      }
      value = await cf.kvs().get('e:' + named);
    }
  } catch (error) {
    value = await whyUnread(named, error);
  }
  return answered(event, named, attempts, signedIn, value);
}

// A missing key rejects like any failure; only a second question tells them apart. null for an event
// that there is not, '' while the store does not answer.
async function whyUnread(named, error) {
  try {
    var exists = named.length <= EVENT_CHARS_MAX && (await cf.kvs().exists('e:' + named));
    if (exists === false) {
      return null;
    }
  } catch (other) {
    noted(other);
  }
  return noted(error);
}

function answered(event, named, attempts, signedIn, value) {
  asked = event;
  request = event.request;
  name = named;
  bearer = signedIn;
  text = value;
  try {
    if (value === null) {
      return unasked(attempts);
    }
    readRules(value);
    var state = rules[STATE],
      nowMs = Date.now();
    now = nowMs / 1000;
    second = now - (now % 1);
    at = epochAt(now);
    return state === DRAFT && !(rules[OPEN_UNTIL] && rules[OPEN_UNTIL] <= now)
      ? unasked(attempts)
      : state === OPEN || state === PAUSED || state === DRAFT || (state === DRAINING && attempts)
        ? attempts
          ? attempt()
          : join(nowMs)
        : over(state);
  } catch (error) {
    if (value !== '') {
      noted(error);
    }
    return refused(503, 'dependency-unavailable', 'your place is safe', 5);
  }
}

function noted(error) {
  console.log('gate: ' + error);
  return '';
}

function refused(status, code, why, after, more) {
  return problem(asked.context ? asked.context.requestId : '', status, code, why, after, more);
}

function unasked(attempts) {
  var here = request.uri === PATH + name + (attempts ? ADMISSION : QUEUE) && name.length <= EVENT_CHARS_MAX;
  if (!here || request.method === 'POST') {
    return refused(404, 'not-found', here ? 'no such event' : 'nothing is here');
  }
  var response = refused(405, 'method-not-allowed', 'only POST');
  response.headers.allow = { value: 'POST' };
  return response;
}

// Draining: nobody new may join, and waiting buyers are admitted.
function over(state) {
  return refused(
    410,
    'sale-over',
    state === DRAINING ? 'draining' : state === SOLD_OUT ? 'soldout' : state === CLOSED ? 'closed' : broken(),
    0,
    'state'
  );
}

// What both tokens say, the place's only if it verifies; or what is wrong with the sign-in.
function claimed(token) {
  mustBeWhole(at);
  var middle = rules[AUTH_HEAD],
    caller = payloadOf(bearer, SCHEME_CHARS, CALLER_START, text, middle, rules[END], AUTH_KEY, OLDER_AUTH),
    place =
      token === '' || caller === '' || token.length > TOKEN_CHARS_MAX
        ? ''
        : payloadOf(token, 0, TOKEN_START, text, HEADS, middle, TOKEN_KEY, OLDER_TOKEN),
    claims = claimsOf(caller, place) || (place && claimsOf(caller, ''));
  return !claims || +claims[CALLER_IAT] > now + AHEAD_S ? BAD_AUTH : +claims[CALLER_EXP] > now ? claims : SIGN_IN_ENDED;
}

// Answers a caller who is not signed in. A sign-in may have ended, or a place: a page gives its place up
// only in the second case.
function stranger(why) {
  return refused(401, why === NO_AUTH || why === BAD_AUTH ? 'unauthenticated' : why, why);
}

// What breaks the rules is answered here as the desk would; of a share of it the desk hears.
function violated(sub, boff, verdict) {
  if (chosen(text, asked.context.requestId, rules[SAMPLE_VIOLATIONS])) {
    return toDesk(sub, verdict);
  }
  var left = boff - second,
    least = rules[LEAST_S];
  return verdict === BAD_TOKEN || verdict === OTHER_USER || verdict === OTHER_EVENT
    ? refused(403, 'forbidden', verdict, 0, 'verdict')
    : refused(429, 'too-early', verdict, left > least ? left : least, 'verdict');
}

// A place in the waiting room: all of it is in the token, nothing is stored.
function join(nowMs) {
  var caller = claimed('');
  if (typeof caller === 'string') {
    return stranger(caller);
  }
  var sub = caller[CALLER],
    claim = name + '|' + sub,
    draw = drawn(text, claim);
  if (sampled(draw)) {
    return toDesk(sub, 'sample-queue');
  }
  var key = text.slice(TOKEN_KEY, AUTH_KEY),
    secret = mac(key, 'id|'.concat(asked.context.requestId, '|', asked.viewer.ip, '|', sub, '|', nowMs)),
    hex = secret.toString('hex', 0, 9),
    time = '0' + nowMs.toString(16), // twelve digits from 2004 to 2527
    id = time.slice(0, 8) + '-' + time.slice(8) + '-7' + hex.slice(0, 3) + '-8' + hex.slice(3, 6) + '-' + hex.slice(6),
    from = epochAt(second),
    lot = lotteryTicket(text, draw, claim, id),
    wait = remaining(at, lotteryNumber(text, lot), 0, now),
    boff = backoff(id.slice(-8), lot, wait, now),
    ch = secret.toString('base64url', 16);
  if (from !== at) {
    mustBeWhole(from);
  }
  return answer(
    200,
    'OK',
    '{"token":"'.concat(
      issued(
        text.slice(HEADS, rules[AUTH_HEAD]),
        key,
        '{"exp":'.concat(
          boff + rules[LIFE_S],
          ',"boff":',
          boff,
          ',"lvl":0,"iat":',
          second,
          ',"lot":"',
          lot,
          '","ch":"',
          ch,
          '","id":"',
          id,
          '","pow":',
          rules[POW_BITS],
          ',"h":',
          billionths(operationalTime(from, second)),
          ',"evt":"',
          name,
          '","sub":"',
          sub,
          '"'
        )
      ),
      '","challenge":{"ch":"',
      ch,
      '","pow":',
      rules[POW_BITS],
      '},"sale_starts_at":"',
      new Date(rules[SALE_START] * 1000).toISOString(),
      '",',
      shown(at, wait, second, boff),
      '}'
    )
  );
}

// Admitted, or the same place with the time to come back. What a genuine slip can answer at its time needs
// no more; all else goes the whole way. By a slip alone nobody is admitted, and no place outlives half of its
// token's life.
function attempt() {
  var headers = request.headers,
    token = headers['x-fairgate-token'],
    slip = headers['x-fairgate-slip'],
    key = text.slice(TOKEN_KEY, AUTH_KEY),
    start = rules[at],
    place = null,
    ends,
    wrong,
    lot,
    u,
    x,
    wait,
    boff,
    until;
  token = token ? token.value : '';
  ends = token.slice(-SEAL_CHARS) + bearer.slice(-SEAL_CHARS);
  slip = slip && slip.value.length > SLIP_CHARS_MIN ? slipOf(slip.value, key, ends) : '';
  // As text: the first ten digits of what a slip says are its `boff`.
  var whole = !slip || '' + (second + GRACE_S + 1) < slip;
  for (;;) {
    if (whole) {
      place = claimed(token);
      if (typeof place === 'string') {
        return stranger(place);
      }
      if (token === '') {
        // A proxy took the header out of an honest buyer's request: the desk hears nothing of it.
        return refused(403, 'forbidden', 'no-token', 0, 'verdict');
      }
      if (slip && place[PLACE]) {
        place[BOFF] = slip.slice(0, SLIP_UNTIL);
      }
      wrong = violation(place);
      if (wrong) {
        return wrong === PLACE_ENDED ? stranger(wrong) : violated(place[CALLER], place[BOFF], wrong);
      }
      slip = place[EXP] + place[BOFF] + place[DIGITS] + place[LOT] + place[H];
    }
    lot = slip.slice(SLIP_LOT, SLIP_H);
    u = lotteryNumber(text, lot);
    x = (now > start ? rules[at + 1] + (now - start) * rules[at + 2] : rules[at + 1]) - slip.slice(SLIP_H) / 1e9;
    if (x < 0) {
      x = 0;
    }
    wait = remaining(at, u, x, now);
    // P is needed only if the seconds to wait do not decide. A place that nobody renewed before the sale start
    // names an earlier `boff` than its moment in the wave.
    if (
      rules[STATE] !== PAUSED &&
      (rules[OPEN_UNTIL] > now ||
        ((!(wait > 0) || wait > LARGEST || rules[MODE] === PER_TOKEN) &&
          u < admissionProbability(x, rules[CURVE]) &&
          now >= firstLook(lot, second) - GRACE_S))
    ) {
      if (place) {
        return admitted(place[SUB]);
      }
    } else {
      boff = '' + backoff(slip.slice(SLIP_DIGITS, SLIP_LOT), lot, wait, now);
      if (place || boff < slip.slice(SLIP_UNTIL)) {
        break;
      }
    }
    whole = true;
  }
  u = '';
  if (place) {
    // Signed again once half of its life is used up.
    until = place[EXP] - rules[LIFE_S] + (rules[LIFE_S] >> 1);
    if (+boff > until) {
      until = +boff + (rules[LIFE_S] >> 1);
      token = postponed(text.slice(HEADS, rules[AUTH_HEAD]), key, place[PLACE], +boff);
      u = '"token":"' + token + '",';
      ends = token.slice(-SEAL_CHARS) + bearer.slice(-SEAL_CHARS);
    }
    slip = boff + (until < place[CALLER_EXP] ? until : place[CALLER_EXP]) + slip.slice(SLIP_DIGITS);
  } else {
    slip = boff + slip.slice(SLIP_UNTIL);
  }
  until = boff - second;
  return answer(
    202,
    'Accepted',
    '{"slip":"'.concat(
      slip,
      seal(key, ends, slip),
      '",',
      u,
      shown(at, wait, second, boff),
      rules[STATE] === PAUSED ? ',"retry_after":' + until + '}' : '}'
    ),
    until
  );
}

function admitted(sub) {
  var share = rules[SAMPLE_ADMISSION];
  return share > 0 && chosen(text, asked.context.requestId, share)
    ? toDesk(sub, 'sample-admit')
    : forwarded(sub, 'admit');
}

// What is wrong with a place and its solution, or ''.
function violation(place) {
  var solution = request.headers['x-fairgate-solution'];
  return place[PLACE] === '' || +place[IAT] > now + AHEAD_S
    ? BAD_TOKEN
    : place[EVT] !== name
      ? OTHER_EVENT
      : place[SUB] !== place[CALLER]
        ? OTHER_USER
        : +place[EXP] <= now
          ? PLACE_ENDED
          : now < place[BOFF] - GRACE_S
            ? 'early'
            : !solution || solution.value === ''
              ? 'no-solution'
              : solves(place[CH], +place[POW], solution.value)
                ? ''
                : 'bad-solution';
}

function forwarded(sub, verdict) {
  var address = asked.viewer.ip;
  request.headers[EDGE] = {
    value: 'v2.'.concat(
      second,
      '.',
      verdict,
      '.',
      signature(
        text.slice(EDGE_KEY, DRAW_KEY),
        'v2|'.concat(second, '|', verdict, '|', name, '|', sub, '|', address)
      ).slice(0, SIGN_CHARS),
      '.',
      address
    )
  };
  return request;
}

// The cache behaviour stays that of the gated route, which never caches.
function toDesk(sub, verdict) {
  forwarded(sub, verdict);
  request.uri = '/api/desk';
  request.querystring = { event: { value: name } };
  return request;
}
