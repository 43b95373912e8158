// How often a page asks for news: soon after something has happened, ever less while nothing does.

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
