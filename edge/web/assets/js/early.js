// Asks for what the page needs first while its own script, which is far longer, still comes: the words of the visitor's
// language, and the event that the address names or the list of events.

import { setDocument, visitorsLanguage } from './language.js';
import { load } from './word-files.js';

const path = location.hash.slice(1).split('?')[0] || location.pathname;
const [, event] = /^\/e\/([^/]+)$/.exec(path) || [];
const language = visitorsLanguage() ?? 'en';

/** Reads an answer's JSON, so that who takes it shows the page at once, without a picture of the frame alone before. */
async function readAhead(answer) {
  const read = answer.json();
  answer.json = () => read;
  await read.catch(() => {}); // who takes it finds out
  return answer;
}

setDocument(language);
load(language, 'first').catch(() => {}); // words.js asks again

if ((event || (path === '/' && !location.search)) && globalThis.early === undefined) {
  const address = event ? `/api/events/${event}` : '/events.json';
  const ends = new AbortController();
  setTimeout(() => ends.abort(), 12000); // not AbortSignal.timeout, which older browsers lack
  const answer = fetch(address, {
    headers: { accept: 'application/json' },
    cache: 'no-cache',
    signal: ends.signal
  }).then(readAhead);
  answer.catch(() => {}); // who takes it finds out
  globalThis.early = { address, answer };
}
