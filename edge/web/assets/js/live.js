// Live updates: a finite stream that every cache can keep, which EventSource reads again and again.
// Each time it carries the last half minute; what is known already is skipped.

import { get, paths } from './api.js';

const AGAIN_MS = 5000;
const WHOLE_MS = 60000;
const FAILURES = 3;
const KINDS = ['seats', 'section', 'area'];

/**
 * Follows one stream until the signal ends; hidden pages rest.
 * `read` loads and shows everything, and returns where in the log that stood (`id`);
 * `apply(kind, data)` shows one change; `stale` is called when three attempts in a row failed.
 */
export function follow(url, { read, apply, stale, signal }) {
  let last = 0;
  let failures = 0;
  let reading = false;
  let batch = [];
  let source = null;
  let timer = 0;

  const failed = () => {
    if (++failures === FAILURES) stale();
  };

  const whole = async () => {
    if (reading) return;
    reading = true;
    try {
      last = await read();
    } catch (error) {
      if (error.name !== 'AbortError') {
        last = 0;
        failed();
      }
    }
    reading = false;
  };

  const ended = (event) => {
    const { since, until } = JSON.parse(event.data);
    const changes = batch;
    batch = [];
    if (reading) return; // the next stream brings them again
    if (since > last) {
      whole();
      return;
    } // more was missed than the stream remembers
    for (const { id, kind, data } of changes) if (id > last) apply(kind, data);
    last = Math.max(last, until);
    failures = 0;
  };

  const open = () => {
    clearTimeout(timer);
    source?.close();
    batch = [];
    source = new EventSource(url);
    for (const kind of KINDS)
      source.addEventListener(kind, (event) =>
        batch.push({ id: Number(event.lastEventId), kind, data: JSON.parse(event.data) })
      );
    source.addEventListener('window', ended);
    source.addEventListener('error', () => {
      batch = [];
      if (source.readyState !== EventSource.CLOSED) return; // each stream ends so, and the browser comes back by itself
      failed();
      timer = setTimeout(open, AGAIN_MS);
    });
  };

  const resumeOrRest = () => {
    if (document.visibilityState === 'visible') {
      whole();
      open();
    } else {
      clearTimeout(timer);
      source?.close();
    }
  };
  const often = setInterval(() => {
    if (document.visibilityState === 'visible') whole();
  }, WHOLE_MS);
  document.addEventListener('visibilitychange', resumeOrRest, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    clearInterval(often);
    source?.close();
  });
  resumeOrRest();
}

/** Follows the counts of an event's sections and areas; `show` gets them all after each change. */
export function followCounts(event, { show, stale, signal }) {
  let counts;
  const read = async () => {
    counts = await get(paths.availability(event), { signal });
    show(counts);
    return counts.id;
  };
  const apply = (kind, { [kind]: place, ...figures }) => {
    counts[kind === 'section' ? 'sections' : 'areas'][place] = figures;
    show(counts);
  };
  follow(paths.changes(event), { read, apply, stale, signal });
}
