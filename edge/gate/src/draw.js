// The draw. fairgate/domain/admission.py is the same maths; tests hold the two together.

import crypto from 'crypto';
import { base64url, mac, short } from './mac.js';

const LADDER_S = [0, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];

function lineAt(epochs, t) {
  let line = epochs[0];
  for (let i = 1; i < epochs.length && epochs[i][0] <= t; i++) {
    line = epochs[i];
  }
  return line;
}

// H(t) of the last epoch that has started; before the first, its own H.
export function operationalTime(epochs, t) {
  const line = lineAt(epochs, t);
  return t > line[0] ? line[1] + (t - line[0]) * line[2] : line[1];
}

// Whole billionths. This engine may read a decimal one unit off in the last place; here that
// unit is lost again, so that h is the same number wherever it is read.
export function onGrid(h) {
  return Math.floor(h * 1e9 + 0.5) / 1e9;
}

// 1/τ, or 0 while nobody is admitted.
function slopeAt(gate, t) {
  const line = lineAt(gate.ep, t);
  return gate.s === 'paused' || t < line[0] ? 0 : line[2];
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

export function progress(gate, h, now) {
  return Math.max(0, operationalTime(gate.ep, now) - h);
}

// Seconds until the turn, at the slope of now. In mode t the ticket's own turn stays secret.
function remaining(gate, u, x, now) {
  const slope = slopeAt(gate, now);
  if (slope === 0) {
    return Infinity;
  }
  const turn = gate.m === 'a' ? Math.pow(-Math.log(1 - u), 1 / gate.k) : 1;
  return Math.max(0, turn - x) / slope;
}

// [0, 1), from the token's id and the time: whole-number steps below 2^53.
function spread(id, second) {
  return (parseInt(id.slice(-8), 16) + second % 65536 * 2654435761) % 4294967296 / 4294967296;
}

// Epoch second of the next attempt: rare far from the turn, close near it, never before doors.
export function backoff(gate, id, u, x, now) {
  const second = Math.floor(now);
  const jitter = 0.2 * spread(id, second);
  if (second < gate.ds) {
    return gate.ds + Math.ceil(gate.b[1] * jitter);
  }
  const wait = Math.min(Math.max(0.5 * remaining(gate, u, x, now), gate.b[0]), gate.b[1]);
  return second + Math.ceil(wait * (1 + jitter));
}

// The bucket of the wait with the poll that finds the turn; null while time stands still.
export function estimate(gate, u, x, now) {
  const wait = remaining(gate, u, x, now) + gate.b[0];
  if (slopeAt(gate, now) === 0) {
    return null;
  }
  let i = 0;
  while (i + 1 < LADDER_S.length && LADDER_S[i + 1] <= wait) {
    i++;
  }
  return { lo_s: LADDER_S[i], hi_s: i + 1 < LADDER_S.length ? LADDER_S[i + 1] : null };
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
