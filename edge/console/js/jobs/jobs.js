// Acts that take long: what is known of each, asked for again until it is over, on whichever screen.

import { signal } from '@preact/signals';
import { look, may } from '../acts.js';
import { every } from '../every.js';
import { tell } from '../kit.jsx';
import { lastWord, pauseFor } from './words.js';

const LIST_KEPT_MS = 10_000; // several parts of a screen ask for the list at once

/** All that are known, by id. */
export const jobs = signal(new Map());

const waiters = new Map(); // by id: what waits for the end
let listedAt = 0;
let stop = null;
let since = 0; // when the last one began: it is asked for more often at first

export const isGoing = ({ state }) => state === 'waiting' || state === 'running';
const going = () => [...jobs.value.values()].filter(isGoing);

function put(some) {
  jobs.value = new Map([...jobs.value, ...some.map((job) => [job.id, { ...jobs.value.get(job.id), ...job }])]);
}

async function askOnce({ id }) {
  await readWhole(id).catch((problem) => {
    if (problem.status !== 404) throw problem;
    put([{ id, state: 'failed', problem: { detail: 'Nothing is known of it any more.' } }]);
  });
  const job = jobs.value.get(id);
  if (isGoing(job)) return;
  tell(lastWord(job));
  waiters.get(id)?.(job);
  waiters.delete(id);
}

function follow() {
  if (stop || going().length === 0) return;
  const pause = () => pauseFor(Date.now() - since, going().length);
  stop = every(pause, async () => {
    try {
      for (const job of going()) await askOnce(job);
      return true;
    } catch {
      return false; // asked again, after longer and longer pauses
    } finally {
      if (going().length === 0) end();
    }
  });
}

function end() {
  stop?.();
  stop = null;
}

/** Keeps a job that has just been asked for. Returns a promise of it as it is at its end. */
export function begun(job) {
  put([job]);
  since = Date.now();
  const over = new Promise((resolve) => waiters.set(job.id, resolve));
  follow();
  return over;
}

/** Reads which jobs there are, so that what was begun before, or by others, is shown and followed. */
export function readJobs() {
  if (!may('job list')) return;
  if (listedAt && Date.now() - listedAt < LIST_KEPT_MS) return;
  listedAt = Date.now();
  look('job list').then(
    ({ jobs: some }) => {
      put(some);
      follow();
    },
    () => (listedAt = 0) // what is begun here is known without the list
  );
}

/** Reads what a job said and made; addresses of its files are good for some minutes. */
export async function readWhole(id) {
  const { job } = await look('job show', { job: id });
  put([{ ...job, readAt: Date.now() }]);
  return job;
}
