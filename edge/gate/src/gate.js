// The event's value in the key-value store: read once per decision, refused when it is not whole.

import cf from 'cloudfront';

// A promise of the value's text.
export function storedGate(event) {
  return cf.kvs().get('e:' + event);
}

// A missing key rejects like any failure; only this second question tells them apart.
export function isKnown(event) {
  return cf.kvs().exists('e:' + event);
}

// Throws when the value is not whole. Checks only what a wrong value would turn into a silent
// decision; the writer has checked the rest. The epoch of now is checked where it
// is found.
export function parsedGate(text) {
  const gate = JSON.parse(text);
  const k = gate.k, p = gate.p, x = gate.x, sq = gate.sq, sa = gate.sa, ou = gate.ou, ds = gate.ds;
  const least = gate.b[0], most = gate.b[1], s = gate.s;
  const numbers = typeof k === 'number' && typeof p === 'number' && typeof x === 'number' &&
    typeof sq === 'number' && typeof sa === 'number' && typeof ou === 'number' && typeof ds === 'number' &&
    typeof least === 'number' && typeof most === 'number' && isFinite(k + p + x + sq + sa + ou + ds + least + most);
  const whole = numbers && k >= 1 && gate.v === 1 && (gate.m === 'a' || gate.m === 't') &&
    (s === 'open' || s === 'draining' || s === 'paused' || s === 'soldout' || s === 'closed') &&
    isKey(gate.d) && isKey(gate.g) && isKey(gate.t[gate.tc]) && (gate.u === undefined || isKey(gate.u)) &&
    gate.ep.length > 0;
  if (!whole) {
    throw new Error('the gate is not whole');
  }
  return gate;
}

function isKey(text) {
  return typeof text === 'string' && text.length === 43;
}
