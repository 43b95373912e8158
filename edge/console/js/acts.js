// The operators' API: what the signed-in person may do, doing it, and the figures of an event.

import { signal } from '@preact/signals';
import { here } from './place.js';
import { Problem, send } from './send.js';
import { credentials, endSession } from './session.js';

const ACTS = '/api/operator/acts';

/** {roles, events, acts}: what the sign-in may do, everywhere and at some events; null until it is known. */
export const allowed = signal(null);

async function ask(method, path, options = {}) {
  try {
    return await send(method, path, { ...options, headers: { ...options.headers, ...credentials() } });
  } catch (problem) {
    if (problem.status === 401) endSession();
    throw problem;
  }
}

/** Reads what this person may do. */
export async function readAllowed() {
  allowed.value = await ask('GET', ACTS);
}

/** Returns the acts that this person may do at an event; without one, everywhere. */
export function actsAt(event = here.value) {
  const { roles, events, acts } = allowed.value ?? { roles: [], events: {}, acts: [] };
  const mine = [...roles, ...(events[event] ?? [])];
  return acts.filter((one) => one.roles.some((role) => mine.includes(role)));
}

/** Returns what is known of an act that this person may do at the event that is shown, else undefined. */
export const actNamed = (act, event) => actsAt(event).find((one) => one.act === act);

export const may = (act, event) => actNamed(act, event) !== undefined;

/** Returns a key by which the service knows a repeated request. */
export const newKey = () => crypto.randomUUID();

/**
 * Does an act and returns {said, result, failed}.
 * Options: dryRun (check all, write nothing), confirm (the word that an "unconfirmed" refusal asked for), key (the same
 * for each repetition), version (refuse if somebody changed it since), emptyToo (an empty text is a value: it takes
 * away what was), files (those that the arguments name).
 */
export function perform(act, args = {}, { dryRun = false, confirm = '', key, version, emptyToo, ...rest } = {}) {
  const isGiven = (value) => value !== undefined && value !== null && (emptyToo || value !== '');
  const given = Object.entries(args).filter(([, value]) => isGiven(value));
  const body = { act, arguments: Object.fromEntries(given), ...rest };
  if (dryRun) body.dry_run = true;
  if (confirm) body.confirm = confirm;
  if (version) body.if_match = version;
  return ask('POST', ACTS, { body, headers: key ? { 'idempotency-key': key } : {} });
}

/** Looks at something: returns the act's result. */
export const look = async (act, args) => (await perform(act, args)).result;

const ofEvent = (event) => `/api/operator/events/${encodeURIComponent(event)}`;

/** Returns the figures of an event as they were made last. */
export const figuresOf = (event) => ask('GET', ofEvent(event));

/** Returns the figures of an event since its sale started; null where the service keeps none. */
export const historyOf = async (event) => {
  try {
    return await ask('GET', `${ofEvent(event)}/history`);
  } catch (problem) {
    if (problem.status === 404) return null;
    throw problem;
  }
};

/** Returns how many seats of each section are sold, held, free and blocked. */
export const sectionsOf = (event) => ask('GET', `${ofEvent(event)}/sections`);

export { Problem };
