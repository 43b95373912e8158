// The event's value in the key-value store: read once per decision, refused when it is not whole.
// docs/gate.md has its layout. Whatever this engine is slow at stays out of the way of a decision:
// keys and epochs stand at fixed places and are cut out where they are used, the rest is one array.

import cf from 'cloudfront';

const KEY_CHARS = 43;
const NUMBER_KEY = 0;
const EDGE_KEY = 43;
const KEYS_OF_HEADS = 86; // in the order of the heads in the rules
const DRAW_KEY = 258;
const EPOCHS = 301; // the newest first
const FIGURE_CHARS = 24;
const EPOCH_CHARS = 72;
const OLDEST_EPOCH = 661;
const RULES = 733;

export const VERSION = 0;
export const STATE = 1;
export const MODE = 2;
export const CURVE = 3;
export const POW_BITS = 4;
export const LEAST_S = 5;
export const MOST_S = 6;
export const LIFE_S = 7;
export const SAMPLE_QUEUE = 8;
export const SAMPLE_ADMISSION = 9;
export const OPEN_UNTIL = 10;
export const DOORS = 11;
export const AUTH_HEAD = 12; // and 13 for the older key, or again the same
export const TOKEN_HEAD = 14; // and 15; the first is the one that signs

// A promise of the value's text.
export function storedGate(event) {
  return cf.kvs().get('e:' + event);
}

// A missing key rejects like any failure; only this second question tells them apart.
export function isKnown(event) {
  return cf.kvs().exists('e:' + event);
}

// Throws when the value is not whole. Checks only what a wrong value would turn into a silent
// decision; the writer has checked the rest. `lineAt` checks the epoch that it finds.
export function rulesOf(text) {
  const rules = JSON.parse(text.slice(RULES));
  const k = rules[CURVE], p = rules[POW_BITS], least = rules[LEAST_S], most = rules[MOST_S], x = rules[LIFE_S];
  const sq = rules[SAMPLE_QUEUE], sa = rules[SAMPLE_ADMISSION], ou = rules[OPEN_UNTIL], ds = rules[DOORS];
  const s = rules[STATE];
  const sum = k + p + least + most + x + sq + sa + ou + ds;
  const numbers = typeof k === 'number' && typeof p === 'number' && typeof least === 'number' &&
    typeof most === 'number' && typeof x === 'number' && typeof sq === 'number' && typeof sa === 'number' &&
    typeof ou === 'number' && typeof ds === 'number' && sum - sum === 0; // which an endless one is not
  const whole = numbers && k >= 1 && rules[VERSION] === 2 && (rules[MODE] === 'a' || rules[MODE] === 't') &&
    (s === 'open' || s === 'draining' || s === 'paused' || s === 'soldout' || s === 'closed') &&
    rules[AUTH_HEAD] !== '' && rules[13] !== '' && rules[TOKEN_HEAD] !== '' && rules[15] !== ''; // every token begins with ''
  if (!whole) {
    throw new Error('the gate is not whole');
  }
  return rules;
}

// Of the head at this place in the rules; used as the text that it is.
export function keyOf(text, head) {
  const at = KEYS_OF_HEADS + (head - AUTH_HEAD) * KEY_CHARS;
  return text.slice(at, at + KEY_CHARS);
}

export function edgeKey(text) {
  return text.slice(EDGE_KEY, EDGE_KEY + KEY_CHARS);
}

// The keys of the draw are bytes, as they are published after the sale.
export function drawKey(text) {
  return Buffer.from(text.slice(DRAW_KEY, DRAW_KEY + KEY_CHARS), 'base64url');
}

export function numberKey(text) {
  return Buffer.from(text.slice(NUMBER_KEY, NUMBER_KEY + KEY_CHARS), 'base64url');
}

// [start, H, slope] in force at t: of the last epoch that has started, or else of the first.
export function lineAt(text, t) {
  let at = EPOCHS;
  let start = +text.slice(at, at + FIGURE_CHARS);
  while (start > t && at < OLDEST_EPOCH) {
    at += EPOCH_CHARS;
    start = +text.slice(at, at + FIGURE_CHARS);
  }
  const level = +text.slice(at + FIGURE_CHARS, at + 2 * FIGURE_CHARS);
  const slope = +text.slice(at + 2 * FIGURE_CHARS, at + EPOCH_CHARS);
  if (!(start > 0 && level >= 0 && slope >= 0 && level + slope < Infinity)) { // as it is with a text in it
    throw new Error('the epoch is not whole');
  }
  return [start, level, slope];
}
