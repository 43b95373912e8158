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
// decision; the writer has checked the rest.
export function parsedGate(text) {
  const gate = JSON.parse(text);
  const b = gate.b;
  const numbers = typeof gate.k === 'number' && typeof gate.p === 'number' && typeof gate.x === 'number' &&
    typeof gate.sq === 'number' && typeof gate.sa === 'number' && typeof gate.ou === 'number' &&
    typeof gate.ds === 'number' && typeof b[0] === 'number' && typeof b[1] === 'number' &&
    isFinite(gate.k + gate.p + gate.x + gate.sq + gate.sa + gate.ou + gate.ds + b[0] + b[1]);
  const whole = numbers && gate.v === 1 && gate.k >= 1 && isState(gate.s) &&
    (gate.m === 'a' || gate.m === 't') && isKey(gate.d) && isKey(gate.g) && isKey(gate.t[gate.tc]) &&
    (gate.u === undefined || isKey(gate.u)) && areEpochs(gate.ep);
  if (!whole) {
    throw new Error('the gate is not whole');
  }
  return gate;
}

// A sum that is a finite number has no text, list or missing part in it.
function areEpochs(epochs) {
  let sum = 0;
  for (let i = 0; i < epochs.length; i++) {
    sum += epochs[i][0] + epochs[i][1] + epochs[i][2];
  }
  return epochs.length > 0 && Number.isFinite(sum);
}

function isState(s) {
  return s === 'open' || s === 'draining' || s === 'paused' || s === 'soldout' || s === 'closed';
}

function isKey(text) {
  return typeof text === 'string' && text.length === 43;
}
