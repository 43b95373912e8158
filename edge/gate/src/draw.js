// The draw. fairgate/domain/gate/admission.py is the same maths; tests hold the two together.

import crypto from 'crypto';
import {
  CURVE,
  SALE_START,
  DRAW_KEY,
  EDGE_KEY,
  FIGURES,
  LARGEST,
  LEAST_S,
  LIFE_S,
  MODE,
  MOST_S,
  NUMBER_KEY,
  PAUSED,
  PER_TOKEN,
  SAMPLE_QUEUE,
  STATE,
  WAVE_S,
  rules
} from './gate.js';
import { hmac, mac, short } from './mac.js';

// What is global is dear to look up.
const ceil = Math.ceil;
const pow = Math.pow;

// H(t) on the line of the epoch that the rules have there; before its start, its own H.
export function operationalTime(at, t) {
  var start = rules[at],
    level = rules[at + 1];
  return t > start ? level + (t - start) * rules[at + 2] : level;
}

// Whole billionths: h is the same number wherever it is read.
export function billionths(h) {
  return Math.floor(h * 1e9 + 0.5);
}

// `claim` is the event and the user, and in mode t the token.
export function drawn(text, claim) {
  return mac(text.slice(DRAW_KEY, NUMBER_KEY), 'lot|' + claim);
}

// Four bytes as a number below 1.
function portion(bytes, from) {
  return bytes.readUInt32BE(from) / 4294967296;
}

// Whether a request is in the share that is forwarded to the desk: by its own id, which no caller chooses.
export function chosen(text, requestId, share) {
  return portion(mac(text.slice(EDGE_KEY, DRAW_KEY), 'sample|' + requestId), 0) < share;
}

// Whether an account stands for the crowd: by bytes of its draw that no token shows.
export function sampled(draw) {
  return portion(draw, 16) < rules[SAMPLE_QUEUE];
}

// In mode a the same for every token of this user, so that asking again is worthless.
export function lotteryTicket(text, draw, claim, id) {
  return short(rules[MODE] === PER_TOKEN ? drawn(text, claim + '|' + id) : draw);
}

export function lotteryNumber(text, lot) {
  var digest = hmac('sha256', text.slice(NUMBER_KEY, FIGURES)).update(lot).digest();
  return portion(digest, 0) + portion(digest, 4) / 4294967296;
}

// Math.pow is nowhere asked for the first power: its answer is the base, and the call is dear.
export function admissionProbability(x, k) {
  return 1 - Math.exp(-(k === 1 ? x : pow(x, k)));
}

// Seconds until the moment of admission, at the slope of now; Infinity while time stands still. In
// mode t the ticket's own moment stays secret.
export function remaining(at, u, x, now) {
  var slope = rules[at + 2],
    k = rules[CURVE];
  if (rules[STATE] === PAUSED || now < rules[at] || slope === 0) {
    return Infinity;
  }
  var logarithm = -Math.log(1 - u);
  var admittedAt = rules[MODE] === PER_TOKEN ? 1 : k === 1 ? logarithm : pow(logarithm, 1 / k);
  var wait = (admittedAt - x) / slope;
  return wait > 0 ? (wait <= LARGEST ? wait : LARGEST) : 0;
}

// Epoch second of a place's first attempt in the wave at the sale start, by its ticket; 0 after the wave.
export function firstLook(lot, second) {
  var wave = 0.2 * rules[MOST_S],
    start = rules[SALE_START];
  if (rules[WAVE_S] > wave) {
    wave = rules[WAVE_S];
  }
  return second < start + wave ? start + ceil(wave * portion(Buffer.from(lot.slice(0, 8), 'base64url'), 0)) : 0;
}

// Epoch second of the next attempt: attempts are rare long before the moment of admission, and frequent
// shortly before it. Before the sale starts, a page that is open comes once in half a token's life, so that
// no token outlives a page that was closed. Attempts are spread by the last eight digits of the token's id
// and the time, in whole-number steps below 2^53. After the sale start no attempt is earlier than the
// place's moment in the wave: a late buyer does not overtake it.
export function backoff(digits, lot, wait, now) {
  var least = rules[LEAST_S],
    most = rules[MOST_S];
  var second = now - (now % 1);
  var jitter = 0.2 * (((+('0x' + digits) + (second % 65536) * 2654435761) % 4294967296) / 4294967296);
  var first = firstLook(lot, second),
    next;
  if (second < rules[SALE_START]) {
    next = second + ceil(0.5 * rules[LIFE_S] * (1 + jitter));
    return first < next ? first : next;
  }
  // A near moment of admission is met to the second: asking more often finds it no sooner.
  if (rules[MODE] !== PER_TOKEN && wait <= most && wait <= (least + 1) / (1 - 0.5 * 1.2)) {
    next = ceil(now + (wait > least ? wait : least));
  } else {
    var half = 0.5 * wait;
    next = second + ceil((half < least ? least : half > most ? most : half) * (1 + jitter));
  }
  return next > first ? next : first;
}

// What a place is told of now and of its next attempt, as JSON's members; first the bucket of the wait with the
// poll that is admitted, null while time stands still. In mode t
// the wait that nine in ten do not exceed. On a curve above 1 an even inflow needs a slope that falls: this
// epoch is taken to bring the rate that is wanted by its end, and to last a minute, or as long again as it
// has lasted.
export function shown(at, wait, now, boff) {
  var slope = rules[at + 2],
    k = rules[CURVE],
    s = wait,
    low = 0,
    high = 30;
  if (rules[MODE] === PER_TOKEN) {
    s += (pow(2.302585, 1 / k) - 1) / slope;
  }
  if (k > 1) {
    var age = now - rules[at],
      level = operationalTime(at, now),
      growth = (level + s * slope) / (level + (age > 60 ? age : 60) * slope);
    if (growth > 1) {
      s *= pow(growth, k - 1);
    }
  }
  s += rules[LEAST_S];
  // The ladder 0, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, and no end.
  if (s >= 600) {
    low = 600;
    high = 1200;
  }
  while (s >= high && low < 14400) {
    low = high;
    high *= low === 120 ? 2.5 : low === 1200 ? 1.5 : 2;
  }
  return '"estimate":'.concat(
    wait <= LARGEST ? '{"lo_s":'.concat(low, ',"hi_s":', low < 14400 ? high : null, '}') : null,
    ',"boff":',
    boff,
    ',"now":',
    now,
    ',"state":"',
    rules[STATE] === PAUSED ? 'paused"' : now < rules[SALE_START] ? 'prequeue"' : 'waiting"'
  );
}

// SHA-256(ch ":" nonce) with at least this many leading zero bits; the nonce in its one spelling.
export function solves(ch, bits, nonce) {
  var number = +nonce;
  if (!(number >= 0 && number < 1e15) || '' + number !== nonce) {
    return false;
  }
  var word = crypto
    .createHash('sha256')
    .update(ch + ':' + nonce)
    .digest()
    .readUInt32BE(0);
  return bits === 0 || word >>> (32 - bits) === 0;
}
