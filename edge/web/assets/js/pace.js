// How often a page asks for news: soon after something has happened, ever less while nothing does.
// What hardly ever changes is asked for seldom, spread, so that pages do not ask as one.

/** Milliseconds until the next look at what is seldom new: `everyMs` on average. */
export const seldomMs = (everyMs, random = Math.random()) => everyMs * (0.75 + random / 2);

const STATE_MS = 15000;

/** Milliseconds until an event's state is read again: 15 to 30 s, so that a crowd does not ask at once. */
export const statePauseMs = (chance = Math.random()) => STATE_MS * (1 + chance);

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
