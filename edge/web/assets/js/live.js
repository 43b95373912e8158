// Live updates: finite streams that every cache can keep, read again and again, as often as the server asks for.
// Each tells what happened lately; what is known already is skipped.

import { get, OfflineError } from './api.js';
import { nap } from './dom.js';
import { getAvailability, getChanges } from './operations.js';
import { failedPauseMs, lookPauseMs } from './pace.js';

const STREAM_MS = 12000;
const WHOLE_MS = 60000; // everything is read again after so long, and never more often than after …
const WHOLE_LOOKS = 10; // … so many looks
const FAILURES = 3;
const HIDDEN_MS = 60000;
const KINDS = ['seats', 'section', 'area'];

/** Reads one stream to its `window`: {since, until, again_ms, changes}. What ends before it has failed. */
function look({ path }, signal) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(path);
    const changes = [];
    const end = (settle, value) => {
      clearTimeout(timer);
      source.close(); // the next look is ours to time: a browser's own are neither spread nor rarer when they fail
      signal.removeEventListener('abort', left);
      settle(value);
    };
    const failed = () => end(reject, new OfflineError());
    const left = () => end(reject, new DOMException('The page moved on.', 'AbortError'));
    const timer = setTimeout(failed, STREAM_MS);
    for (const kind of KINDS)
      source.addEventListener(kind, (event) =>
        changes.push({ id: Number(event.lastEventId), kind, data: JSON.parse(event.data) })
      );
    source.addEventListener('window', (event) => end(resolve, { ...JSON.parse(event.data), changes }));
    source.addEventListener('error', failed);
    signal.addEventListener('abort', left);
  });
}

/**
 * Follows one stream until the signal ends; hidden pages rest.
 * `read` loads and shows everything, and returns where in the log that stood (`id`);
 * `apply(kind, data)` shows one change; `stale` is called when three attempts in a row failed;
 * `leastMs`: a page to which the server's pace is too hasty looks only so often.
 */
export async function follow(operation, { read, apply, stale, signal, leastMs = 0 }) {
  let last = null; // what is shown is the log up to here; null: to be read
  let readAt = 0;
  let failures = 0;
  let pauseMs = 0;

  const whole = async () => {
    last = null;
    last = await read();
    readAt = performance.now();
  };

  const once = async () => {
    const again = performance.now() - readAt > Math.max(WHOLE_MS, WHOLE_LOOKS * pauseMs);
    if (last === null || again) await whole();
    const stream = await look(operation, signal);
    if (stream.since > last) await whole(); // more was missed than the stream remembers
    if (signal.aborted) return;
    for (const { id, kind, data } of stream.changes) if (id > last) apply(kind, data);
    if (stream.since <= last) last = Math.max(last, stream.until); // else a cache had an old answer: once more
    failures = 0;
    pauseMs = lookPauseMs(stream.again_ms, leastMs);
  };

  while (!signal.aborted) {
    if (document.visibilityState !== 'visible') {
      await nap(HIDDEN_MS, signal);
      continue;
    }
    try {
      await once();
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (++failures === FAILURES) stale();
      pauseMs = failedPauseMs(failures, (error.retryAfterS || 0) * 1000);
    }
    await nap(pauseMs, signal);
  }
}

/** Follows the counts of an event's sections and areas; `show` gets them all after each change. */
export function followCounts(event, { show, stale, signal, leastMs }) {
  let counts;
  const read = async () => {
    counts = await get(getAvailability(event), { signal, cache: 'no-cache' }); // a browser may keep it, too
    show(counts);
    return counts.id;
  };
  const apply = (kind, { [kind]: place, ...figures }) => {
    counts[kind === 'section' ? 'sections' : 'areas'][place] = figures;
    show(counts);
  };
  return follow(getChanges(event), { read, apply, stale, signal, leastMs });
}
