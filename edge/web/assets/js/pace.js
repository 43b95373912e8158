// How often a page asks for news: soon after something has happened, ever less while nothing does.
// What hardly ever changes is asked for seldom, spread, so that pages do not ask as one.

/** Milliseconds until the next look at what is seldom new: `everyMs` on average. */
export const seldomMs = (everyMs, random = Math.random()) => everyMs * (0.75 + random / 2);

/** Milliseconds until tickets are looked at again: an offered one may be taken at any moment. */
export const ticketsPauseMs = (offered) => seldomMs(offered ? 10000 : 60000);

export const STATE_MS = 15000;

/** Milliseconds until an event's state is read again: 15 to 21 s, so that a crowd does not ask at once. */
export const statePauseMs = (chance = Math.random()) => STATE_MS * (1 + chance * 0.4);

const LOOKS_MAX = 8; // three minutes: edges and caches know a publication before

/**
 * Loads what may not be published yet: where it is missing it is looked for again, eight times in all.
 * `missing` is called once, with the first error. `pause` waits for a number of milliseconds.
 */
export async function untilPublished(load, missing, pause) {
  for (let looks = 1; ; looks++) {
    try {
      return await load();
    } catch (error) {
      if (error.code !== 'not-found' || looks === LOOKS_MAX) throw error;
      if (looks === 1) missing(error);
    }
    await pause(statePauseMs());
  }
}

const LOOK_MS = 1000; // where a server does not say
const LOOK_MIN_MS = 200;
const LOOK_MAX_MS = 60000;

/** Milliseconds until the next look, where the server asks for `ms`: 3/4 to 5/4 of it, spread by chance. */
export const lookPauseMs = (ms, leastMs = 0, chance = Math.random()) =>
  Math.min(LOOK_MAX_MS, Math.max(leastMs, Number.isFinite(ms) ? ms : LOOK_MS, LOOK_MIN_MS)) * (0.75 + chance / 2);

const FAILED_MS = 2000;

/**
 * Milliseconds until the next try after so many failures in a row: twice as long each time, up to a minute,
 * and `leastMs` at least, spread.
 */
export const failedPauseMs = (failures, leastMs = 0, chance = Math.random()) =>
  Math.max(leastMs, Math.min(LOOK_MAX_MS, FAILED_MS * 2 ** (failures - 1))) * (1 + chance / 2);

const RENEWAL_FIRST_MS = 30000;
const RENEWAL_LAST_MS = 600000;
const RENEWAL_LEAST_MS = 15000; // also where next to nothing is left

/**
 * Milliseconds until a renewal is tried again after so many failures in a row: twice as long each time, up to
 * ten minutes and a quarter of the `leftMs` that the sign-in still has; `leastMs` at least, spread.
 */
export function renewalPauseMs(failures, leftMs, leastMs = 0, chance = Math.random()) {
  const grownMs = Math.min(RENEWAL_LAST_MS, RENEWAL_FIRST_MS * 2 ** (failures - 1));
  return Math.max(leastMs, RENEWAL_LEAST_MS, Math.min(grownMs, leftMs / 4)) * (1 + chance / 2);
}

const FIRST_MS = 500;
const LAST_MS = 4000;
const GROWTH = 1.5;

export class Pace {
  constructor() {
    this.restart();
  }

  /** Milliseconds until the next look. */
  next() {
    const pauseMs = this.pauseMs;
    this.pauseMs = Math.min(LAST_MS, pauseMs * GROWTH);
    return pauseMs;
  }

  /** Something has happened, and more may follow at once. */
  restart() {
    this.pauseMs = FIRST_MS;
  }
}
