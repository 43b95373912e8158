// Drafts of events that are not created yet. They stay in this browser: what was typed at once, files beside it.

import { Problem } from '../send.js';

const PREFIX = 'fairgate-console:draft:';
const FILES = 'files';

const FULL = 'This browser keeps nothing more for this site: what you type now is lost with this window.';

/** Returns the drafts, the one that was changed last first. */
export function allDrafts() {
  const found = [];
  for (let n = 0; n < localStorage.length; n++) {
    const key = localStorage.key(n);
    const draft = key.startsWith(PREFIX) && readDraft(key.slice(PREFIX.length));
    if (draft) found.push(draft);
  }
  return found.sort((one, other) => other.saved_at.localeCompare(one.saved_at));
}

export function readDraft(id) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id));
  } catch {
    return null;
  }
}

/** Keeps a draft and returns it with the time of that. Throws Problem. */
export function keepDraft(draft) {
  const kept = { ...draft, saved_at: new Date().toISOString() };
  try {
    localStorage.setItem(PREFIX + draft.id, JSON.stringify(kept));
  } catch {
    throw new Problem(0, { code: 'nothing-kept', detail: FULL });
  }
  return kept;
}

/** Begins a draft: {id, values, files: {field: {name}}, chart: what is known of the venue}. */
export function newDraft() {
  const id = crypto.randomUUID().slice(0, 8);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return keepDraft({ id, values: { time_zone: zone }, files: {}, chart: null });
}

export async function dropDraft(draft) {
  localStorage.removeItem(PREFIX + draft.id);
  for (const use of [...Object.keys(draft.files), MAP]) await keepFile(draft.id, use, null).catch(() => null);
}

let opened = null;

function database() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('fairgate-console', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(FILES);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function store(mode, act) {
  try {
    const transaction = (await database()).transaction(FILES, mode);
    const request = act(transaction.objectStore(FILES));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } catch {
    opened = null;
    throw new Problem(0, { code: 'nothing-kept', detail: FULL });
  }
}

const keyOf = (id, use) => `${id}/${use}`;

/** Keeps a file of a draft; null takes it away. Throws Problem. */
export const keepFile = (id, use, blob) =>
  store('readwrite', (files) => (blob ? files.put(blob, keyOf(id, use)) : files.delete(keyOf(id, use))));

export const readFile = (id, use) => store('readonly', (files) => files.get(keyOf(id, use)));

const MAP = 'map';

/** Keeps the drawing of a draft's chart; null takes it away. It is too large to stand beside what was typed. */
export const keepMap = (id, drawn) => keepFile(id, MAP, drawn).catch(() => null); // the chart can be read again

/** Returns the drawing of a draft's chart; null where this browser has none. */
export const readMap = (id) =>
  readFile(id, MAP).then(
    (drawn) => drawn ?? null,
    () => null
  );

/** Returns the files of a draft: {use: {name, blob}}; without those that this browser has lost. */
export async function filesOf(draft, uses = Object.keys(draft.files)) {
  const chosen = uses.filter((use) => draft.files[use]);
  const read = await Promise.all(chosen.map(async (use) => [use, await readFile(draft.id, use)]));
  return Object.fromEntries(
    read.filter(([, blob]) => blob).map(([use, blob]) => [use, { name: draft.files[use].name, blob }])
  );
}
