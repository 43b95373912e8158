// The draw. fairgate/domain/admission.py is the same maths; tests hold the two together.

import crypto from 'crypto';
import { base64url, mac, short } from './mac.js';

const LADDER_S = [0, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, Infinity];

// The newest of the epochs that have started is almost always among the last two.
export function lineAt(epochs, t) {
  let i = epochs.length - 1;
  while (i > 0 && epochs[i][0] > t) {
    i--;
  }
  const line = epochs[i];
  if (!Number.isFinite(line[0] + line[1] + line[2])) { // as it is with a text or a missing part in it
    throw new Error('the epoch is not whole');
  }
  return line;
}

// H(t) of the last epoch that has started; before the first, its own H.
export function operationalTime(line, t) {
  return t > line[0] ? line[1] + (t - line[0]) * line[2] : line[1];
}

// Whole billionths. This engine may read a decimal one unit off in the last place; here that
// unit is lost again, so that h is the same number wherever it is read.
export function onGrid(h) {
  return Math.floor(h * 1e9 + 0.5) / 1e9;
}

// In mode a the same for every token of this user, so that asking again is worthless.
export function lotteryTicket(gate, event, sub, id) {
  const text = 'lot|' + event + '|' + sub;
  return short(mac(gate.d, gate.m === 'a' ? text : text + '|' + id));
}

// Under the beacon's key once there is one, so a ticket stays what it was when the beacon comes.
export function lotteryNumber(gate, lot) {
  const digest = mac(gate.u || gate.d, Buffer.from(lot, 'base64url'));
  return (digest.readUInt32BE(0) * 4294967296 + digest.readUInt32BE(4)) / 18446744073709551616;
}

export function admissionProbability(x, k) {
  return 1 - Math.exp(-Math.pow(x, k));
}

export function progress(line, h, now) {
  return Math.max(0, operationalTime(line, now) - h);
}

// Seconds until the turn, at the slope of now; Infinity while time stands still. In mode t the
// ticket's own turn stays secret.
export function remaining(gate, line, u, x, now) {
  const slope = gate.s === 'paused' || now < line[0] ? 0 : line[2]; // 1/τ
  if (slope === 0) {
    return Infinity;
  }
  const turn = gate.m === 'a' ? Math.pow(-Math.log(1 - u), 1 / gate.k) : 1;
  return Math.min(Math.max(0, turn - x) / slope, Number.MAX_VALUE);
}

// [0, 1), from the token's id and the time: whole-number steps below 2^53.
function spread(id, second) {
  return (parseInt(id.slice(-8), 16) + second % 65536 * 2654435761) % 4294967296 / 4294967296;
}

// Epoch second of the next attempt: rare far from the turn, close near it, never before doors.
export function backoff(gate, id, wait, now) {
  const second = Math.floor(now);
  const jitter = 0.2 * spread(id, second);
  if (second < gate.ds) {
    return gate.ds + Math.ceil(gate.b[1] * jitter);
  }
  // A turn that is near is met to the second: asking more often finds it no sooner.
  if (gate.m === 'a' && wait <= Math.min((gate.b[0] + 1) / (1 - 0.5 * 1.2), gate.b[1])) {
    return Math.ceil(now + Math.max(wait, gate.b[0]));
  }
  const pause = Math.min(Math.max(0.5 * wait, gate.b[0]), gate.b[1]);
  return second + Math.ceil(pause * (1 + jitter));
}

// The bucket of the wait with the poll that finds the turn, as JSON; null while time stands still.
export function estimate(gate, wait) {
  if (wait === Infinity) {
    return 'null';
  }
  const until = wait + gate.b[0];
  let i = 0;
  while (LADDER_S[i + 1] <= until) {
    i++;
  }
  const most = LADDER_S[i + 1];
  return `{"lo_s":${LADDER_S[i]},"hi_s":${most === Infinity ? 'null' : most}}`;
}

export function stateShown(gate, now) {
  if (gate.s === 'paused') {
    return 'paused';
  }
  return Math.floor(now) < gate.ds ? 'prequeue' : 'waiting';
}

// SHA-256(ch ":" nonce) with at least this many leading zero bits.
export function solves(ch, bits, nonce) {
  const digest = crypto.createHash('sha256').update(ch + ':' + nonce).digest();
  const word = digest.readUInt32BE(0);
  return bits === 32 ? word === 0 : word < Math.pow(2, 32 - bits);
}

export function challenge(key, id) {
  return base64url(mac(key, 'ch|' + id).slice(0, 16));
}
