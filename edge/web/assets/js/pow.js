// The proof of work: in a worker, or on the page where none runs.

import { search } from './sha256.js';

const SILENT_MS = 4000; // a worker tells how far it is much sooner, also on a slow phone
const SLICE = 2000; // tries between two looks at what else the page has to do

const left = () => new DOMException('left', 'AbortError');

function byWorker(challenge, bits, signal) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./pow-worker.js', import.meta.url), { type: 'module' });
    const done = (settle, value) => {
      clearTimeout(timer);
      worker.terminate();
      signal.removeEventListener('abort', leave);
      settle(value);
    };
    const fail = () => done(reject, new Error('The worker does not run.'));
    const leave = () => done(reject, left());
    let timer = setTimeout(fail, SILENT_MS);
    worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      timer = setTimeout(fail, SILENT_MS);
      if (data.nonce) done(resolve, data.nonce);
    };
    worker.onerror = fail;
    signal.addEventListener('abort', leave);
    worker.postMessage({ challenge, bits });
  });
}

async function onPage(challenge, bits, signal) {
  for (let from = 0; ; from += SLICE) {
    const nonce = search(challenge, bits, from, SLICE);
    if (nonce !== null) return nonce;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) throw left();
  }
}

/** Returns the nonce that solves a challenge, {ch, pow}; '0' where nothing is asked for. */
export async function solve({ ch, pow }, signal) {
  if (!pow) return '0';
  try {
    return await byWorker(ch, pow, signal);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    return onPage(ch, pow, signal); // blocked, refused, or silent
  }
}
