// Waiting for the turn to pay: the seats are kept meanwhile, and the page asks again by itself.

import { nowMs } from './clock.js';
import { announce, h, nap, notice, show } from './dom.js';
import { clockText } from './format.js';
import { say, sayWith } from './words.js';

const TICK_MS = 500;

/** Asks until the answer is not "wait your turn"; `wait` is told each time, and decides for how long. */
export async function inTurn(ask, wait) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (error.code !== 'payment-waits') throw error;
      await wait(error);
    }
  }
}

/** Shows in `place` when the payment page opens, until then; rejects when the page moves on. */
export async function waitTurn(place, error, signal) {
  const why = say(error.fields.reason === 'away' ? 'turn-away' : 'turn-busy');
  const untilMs = nowMs() + (error.retryAfterS || 1) * 1000;
  const clock = h('b', {});
  const goesOn = say('turn-goes-on');
  show(place, notice('info', h('p', {}, sayWith('turn-opens', { clock }, { why })), h('p', {}, goesOn)));
  announce(`${say('turn-kept', { why })} ${goesOn}`);
  for (let leftMs; !signal.aborted && (leftMs = untilMs - nowMs()) > 0; ) {
    clock.textContent = clockText(Math.ceil(leftMs / 1000));
    await nap(Math.min(TICK_MS, leftMs), signal);
  }
  show(place);
  if (signal.aborted) throw new DOMException('The page moved on.', 'AbortError');
}
