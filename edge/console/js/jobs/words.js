// What is said of a job, and how often it is asked for.

import { span, titled } from '../format.js';

const SOON_MS = 2000;
const LATER_MS = 5000;
const SOON_FOR_MS = 20_000;

/** Returns how long to wait before all that go on are asked for again: one address may ask about twice a second. */
export const pauseFor = (agoMs, count) => (agoMs < SOON_FOR_MS ? SOON_MS : LATER_MS) * Math.max(1, count);

/** Returns [tone, words] of a job's state. */
export function stateOf({ state, failed, dry_run: dry }) {
  if (state === 'waiting') return ['info', 'Begins soon'];
  if (state === 'running') return ['info', 'Going on'];
  if (state === 'failed') return ['bad', 'Not done'];
  if (failed) return ['warn', dry ? 'Tried: look at it' : 'Done: look at it'];
  return ['good', dry ? 'Tried, nothing changed' : 'Done'];
}

/** Returns what is said, once, when a job is over. */
export function lastWord(job) {
  const name = job.act === 'simulate' ? 'The forecast' : titled(job.act ?? 'it');
  if (job.state === 'failed') return `${name} was not done: ${job.problem?.detail ?? 'it failed.'}`;
  const line = (job.said ?? []).filter((one) => !/^Dry run/.test(one)).at(-1);
  return `${name} is ${job.dry_run ? 'tried' : 'done'}. ${line ?? ''}`.trim();
}

/** Returns for how long a job goes on, or went on; "" before it began. */
export function lasted({ started_at: from, ended_at: to }, now = Date.now()) {
  if (!from) return '';
  return span(Math.max(0, ((to ? Date.parse(to) : now) - Date.parse(from)) / 1000));
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** 1234567 → "1.2 MB". */
export function sizeOf(bytes) {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** Returns the newest of an act; `wanted`: which of them count. */
export function newest(jobs, act, wanted = () => true) {
  const found = [...jobs].filter((job) => job.act === act && wanted(job));
  return found.sort((a, b) => Date.parse(b.asked_at) - Date.parse(a.asked_at))[0];
}
