// Loads modules that come later. One that cannot be had is asked for again by another address: some browsers
// remember for good that a module could not be loaded.

import { nap } from './dom.js';

const AGAIN_MS = 1000;

/** Loads what `load` imports, a function that does nothing else; throws when it cannot be had twice. */
export async function loaded(load, signal) {
  try {
    return await load();
  } catch {
    await nap(AGAIN_MS, signal);
  }
  const [, path] = /import\(["'](.+?)["']\)/.exec(load); // as it is called in the bundle
  return import(`${path}?again=${Date.now()}`);
}
