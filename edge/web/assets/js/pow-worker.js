// A worker that solves one proof of work and tells how far it is.

import { search } from './sha256.js';

const STEP = 20000;

addEventListener('message', ({ data: { challenge, bits } }) => {
  for (let from = 0; ; from += STEP) {
    const nonce = search(challenge, bits, from, STEP);
    if (nonce !== null) return postMessage({ nonce });
    postMessage({ tried: from + STEP });
  }
});
