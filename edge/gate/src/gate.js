// The event's value in the key-value store: read once per decision, refused when it is not whole.
// docs/gate.md has its layout: keys as text, each up to where the next begins, and one block of binary
// figures, because this engine takes longer to parse a number than to draw with it.
//
// All of the gate declares with `var`: what `let` and `const` declare costs an instruction more, at
// every request.

export const TOKEN_KEY = 0; // keys are used as the text that they are
export const AUTH_KEY = 43;
export const EDGE_KEY = 86;
export const DRAW_KEY = 129;
export const NUMBER_KEY = 172; // the beacon's once there is one, so a ticket stays what it was
export const FIGURES = 215;
export const OLDER_TOKEN = 557; // a head and its key
export const OLDER_AUTH = 627;
export const HEAD_CHARS = 27;
export const KEY_CHARS = 43;
export const PAIR_CHARS = 70; // both
export const HEADS = 697; // what tokens name the newest keys by: the waiting token's, then the caller's

const NEWEST = 5; // the format; the one before it is read too, so a deployment and a value come in either order
const TIMES_CHARS = 40; // behind the heads: when token keys began and ended to sign; not asked here
const LATER_CHARS = 21; // behind all else, since format 5: the end of the figures
const COUNT = 34;
const VERSION = 0;
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
export const SALE_START = 11;
export const AUTH_HEAD = 12; // where it begins, and where it ends
export const END = 13;
const EPOCHS = 14; // start, H and slope of each, the newest first
const OLDEST_EPOCH = 29;
export const WAVE_S = 32;
export const SAMPLE_VIOLATIONS = 33;

export const OPEN = 0;
export const DRAINING = 1;
export const PAUSED = 2;
export const SOLD_OUT = 3;
export const CLOSED = 4;
export const DRAFT = 5; // until the time in OPEN_UNTIL, or for ever where that is 0; then as if open
export const PER_TOKEN = 1; // the mode; 0 is per account

export const LARGEST = 1.7976931348623157e308; // Number.MAX_VALUE; what is global is dear to look up

export function broken() {
  throw new Error('the gate is not whole');
}

export var rules;

// Throws when the value is of no format that is read here, or is cut off.
export function readRules(text) {
  var bytes = Buffer.from(text.slice(FIGURES, OLDER_TOKEN) + text.slice(-LATER_CHARS), 'base64url');
  rules = new Float64Array(bytes.buffer, bytes.byteOffset, COUNT);
  var newest = rules[VERSION] === NEWEST;
  if (!newest) {
    rules[WAVE_S] = 0;
    rules[SAMPLE_VIOLATIONS] = 0.05;
  }
  if (
    !(
      (newest || rules[VERSION] === NEWEST - 1) &&
      rules[END] + (newest ? TIMES_CHARS + LATER_CHARS : TIMES_CHARS) === text.length
    )
  ) {
    broken();
  }
}

// Throws when a figure is none, before anybody is admitted, refused or given a place. Checks only what a wrong
// value would turn into a silent decision; the writer has checked the rest.
export function mustBeWhole(at) {
  var mode = rules[MODE],
    head = rules[AUTH_HEAD];
  // The head of auth tokens ends behind its beginning, because every token begins with ''.
  if (
    !(
      rules[CURVE] >= 1 &&
      (mode === 0 || mode === PER_TOKEN) &&
      head > HEADS &&
      rules[END] > head &&
      rules[at] > 0 &&
      rules[at + 1] >= 0 &&
      rules[at + 2] >= 0
    ) ||
    rules.includes(0 / 0) ||
    rules.includes(1 / 0) ||
    rules.includes(-1 / 0)
  ) {
    broken();
  }
}

// Where the rules have the epoch in force at t: of the last that has started, or else of the first.
export function epochAt(t) {
  var at = EPOCHS;
  while (rules[at] > t && at < OLDEST_EPOCH) {
    at += 3;
  }
  return at;
}
