// The draw. fairgate/domain/admission.py is the same maths; tests hold the two together.

import crypto from 'crypto';
import { CURVE, DOORS, LEAST_S, MODE, MOST_S, STATE, drawKey, numberKey } from './gate.js';
import { mac, short } from './mac.js';

const LADDER_S = [0, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, Infinity];

// H(t) of the last epoch that has started; before the first, its own H.
export function operationalTime(line, t) {
  return t > line[0] ? line[1] + (t - line[0]) * line[2] : line[1];
}

// Whole billionths: h is the same number wherever it is read.
export function billionths(h) {
  return Math.floor(h * 1e9 + 0.5);
}

// In mode a the same for every token of this user, so that asking again is worthless.
export function lotteryTicket(rules, text, event, sub, id) {
  const said = 'lot|' + event + '|' + sub;
  return short(mac(drawKey(text), rules[MODE] === 'a' ? said : said + '|' + id));
}

// Under the beacon's key once there is one, so a ticket stays what it was when the beacon comes.
export function lotteryNumber(text, lot) {
  const digest = mac(numberKey(text), Buffer.from(lot, 'base64url'));
  return (digest.readUInt32BE(0) * 4294967296 + digest.readUInt32BE(4)) / 18446744073709551616;
}

// Math.pow is nowhere asked for the first power: its answer is the base, and the call is dear.
export function admissionProbability(x, k) {
  return 1 - Math.exp(-(k === 1 ? x : Math.pow(x, k)));
}

export function progress(line, h, now) {
  const x = operationalTime(line, now) - h;
  return x > 0 ? x : 0;
}

// Seconds until the turn, at the slope of now; Infinity while time stands still. In mode t the
// ticket's own turn stays secret.
export function remaining(rules, line, u, x, now) {
  if (rules[STATE] === 'paused' || now < line[0] || line[2] === 0) {
    return Infinity;
  }
  const k = rules[CURVE];
  const logarithm = -Math.log(1 - u);
  const turn = rules[MODE] === 't' ? 1 : k === 1 ? logarithm : Math.pow(logarithm, 1 / k);
  const wait = (turn - x) / line[2];
  return wait > 0 ? wait < Number.MAX_VALUE ? wait : Number.MAX_VALUE : 0;
}

// [0, 1), from the token's id and the time: whole-number steps below 2^53.
function spread(id, second) {
  return (parseInt(id.slice(-8), 16) + second % 65536 * 2654435761) % 4294967296 / 4294967296;
}

// Epoch second of the next attempt: rare far from the turn, close near it, never before doors.
export function backoff(rules, id, wait, now) {
  const least = rules[LEAST_S], most = rules[MOST_S], doors = rules[DOORS];
  const second = now - now % 1;
  const jitter = 0.2 * spread(id, second);
  if (second < doors) {
    return doors + Math.ceil(most * jitter);
  }
  // A turn that is near is met to the second: asking more often finds it no sooner.
  if (rules[MODE] === 'a' && wait <= most && wait <= (least + 1) / (1 - 0.5 * 1.2)) {
    return Math.ceil(now + (wait > least ? wait : least));
  }
  const half = 0.5 * wait;
  return second + Math.ceil((half < least ? least : half > most ? most : half) * (1 + jitter));
}

// The bucket of the wait with the poll that finds the turn, as JSON; null while time stands still.
export function estimate(rules, wait) {
  if (wait === Infinity) {
    return 'null';
  }
  const until = wait + rules[LEAST_S];
  let i = until < 300 ? 0 : until < 1800 ? 4 : 7; // near the step that is looked for
  while (LADDER_S[i + 1] <= until) {
    i++;
  }
  const most = LADDER_S[i + 1];
  return `{"lo_s":${LADDER_S[i]},"hi_s":${most === Infinity ? 'null' : most}}`;
}

export function stateShown(rules, now) {
  return rules[STATE] === 'paused' ? 'paused' : now - now % 1 < rules[DOORS] ? 'prequeue' : 'waiting';
}

// SHA-256(ch ":" nonce) with at least this many leading zero bits; the nonce in its one spelling.
export function solves(ch, bits, nonce) {
  const number = +nonce;
  if (!(number >= 0 && number < 1e15) || '' + number !== nonce) {
    return false;
  }
  const word = crypto.createHash('sha256').update(ch + ':' + nonce).digest().readUInt32BE(0);
  return bits === 0 || word >>> 32 - bits === 0;
}

export function challenge(key, id) {
  return short(mac(key, 'ch|' + id));
}
