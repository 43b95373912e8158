// Doing something again and again while the page is seen.

const SLOWEST_MS = 30000;

/** Returns how long to wait: longer after each failure, so that a full line, or the firewall's count, can recover. */
export const pauseAfter = (everyMs, failures) => Math.max(everyMs, Math.min(everyMs * 2 ** failures, SLOWEST_MS));

/**
 * Calls `step`, which resolves to whether it succeeded, now and so long after each end of it; at once when somebody
 * returns to the page or the line is back. With 0, once. `everyMs` may be a function that is asked each time. Returns a
 * function that ends it.
 */
export function every(everyMs, step) {
  const nowMs = () => (typeof everyMs === 'function' ? everyMs() : everyMs);
  let timer = 0;
  let failures = 0;
  let busy = false;
  let over = false;
  async function next() {
    if (busy || over) return;
    clearTimeout(timer);
    busy = true;
    failures = (await step()) ? 0 : failures + 1;
    busy = false;
    later();
  }
  function later() {
    if (!over && everyMs && document.visibilityState === 'visible')
      timer = setTimeout(next, pauseAfter(nowMs(), failures));
  }
  const seen = () => {
    if (everyMs && document.visibilityState === 'visible') next();
  };
  document.addEventListener('visibilitychange', seen);
  addEventListener('online', seen);
  next();
  return () => {
    over = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
    globalThis.removeEventListener('online', seen);
  };
}
