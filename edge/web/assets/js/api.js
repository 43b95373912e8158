// Every call to the API: our refusals become ApiProblem; a lost network, and an answer that is not ours, become
// OfflineError.

import { contentOf, problemOf } from './answers.js';
import { syncToHeaders } from './clock.js';

const TIMEOUT_MS = 12000;
const TRIES_MAX = 4;
const TAKEN_OUT = ['no-token', 'no-session']; // verdicts on headers
const NETWORKS_OWN = 511; // "Network Authentication Required", which no service answers: RFC 6585, section 6

// What the gateway before our functions answers by itself carries no code of ours: it refuses what is over a route's
// rate, and fails. Source: API Gateway Developer Guide, "Throttle requests to your HTTP APIs".
const nameOf = (status) => (status === 429 ? 'too-many-requests' : 'internal');

export class ApiProblem extends Error {
  constructor(status, body, retryAfterS) {
    super(body.detail || body.title || `The service answered ${status}.`);
    this.status = status;
    this.code = body.code || nameOf(status);
    this.fields = body;
    this.retryAfterS = retryAfterS;
  }

  /** Whether a new sign-in is what helps. */
  get signedOut() {
    return ['unauthenticated', 'sign-in-ended'].includes(this.code);
  }
}

/**
 * The line is interrupted. Codes: offline; strange-network, where something else answers in the service's place;
 * stripped-request, where something took out what this page always sends.
 */
export class OfflineError extends Error {
  constructor(code = 'offline') {
    super('The service cannot be reached.');
    this.code = code;
    this.retryAfterS = 3;
  }
}

export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
};

function retryAfter(headers) {
  const text = headers.get('retry-after');
  if (!text) return null;
  const seconds = Number(text);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Returns what an answer carries; throws ApiProblem, or OfflineError for what is not ours. */
async function read(answer, answers) {
  if (answer.ok) {
    const data = await contentOf(answer, answers);
    if (data === undefined) throw new OfflineError('strange-network');
    return { status: answer.status, data, retryAfterS: retryAfter(answer.headers) };
  }
  const problem = await problemOf(answer);
  if (TAKEN_OUT.includes(problem?.verdict)) throw new OfflineError('stripped-request');
  const bare = answer.status === 429 || (answer.status >= 500 && answer.status !== NETWORKS_OWN);
  if (!problem && !bare) throw new OfflineError('strange-network');
  throw new ApiProblem(answer.status, problem || {}, retryAfter(answer.headers));
}

/** Takes what early.js has asked for, where the first request is the same. */
function askedEarly(method, path) {
  const { early } = globalThis;
  globalThis.early = null; // early.js asks for nothing from now on
  return method === 'GET' && early?.address === path ? early.answer : undefined;
}

async function once({ method, path, answers }, { headers, body, signal, cache }) {
  const ends = new AbortController();
  const stop = () => ends.abort();
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal?.addEventListener('abort', stop);
  try {
    const sent = { method, headers, body, cache, signal: ends.signal, credentials: 'same-origin' };
    const answer = await (askedEarly(method, path) ?? fetch(path, sent));
    const said = await read(answer, answers);
    syncToHeaders(answer.headers);
    return said;
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof OfflineError) throw error;
    if (signal?.aborted) throw new DOMException('The page moved on.', 'AbortError');
    throw new OfflineError();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Whether a failure says nothing of what was asked for: the line, the load or a fault, which may pass. */
export const mayPass = (error) =>
  error instanceof OfflineError || error.code === 'too-many-requests' || error.status >= 500;

// A 503 that says until when it may last is an answer for the buyer; a limit passes before a buyer knows.
const passing = (error) => mayPass(error) && ![500, 501].includes(error.status) && !error.fields?.settling_until;

/**
 * Sends an operation of operations.js, or asks for a file: once, or with `retry` up to four times, with growing
 * pauses and the same idempotency key.
 * Options: token (auth JWT), credential (session), body, headers, key, retry, signal, and `cache`
 * as fetch has it.
 */
export async function request(operation, options = {}) {
  const headers = { accept: 'application/json', ...options.headers };
  if (options.token) headers.authorization = `Bearer ${options.token}`;
  if (options.credential) headers['x-fairgate-session'] = options.credential;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (options.key) headers['idempotency-key'] = options.key;
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  for (let tries = 1; ; tries++) {
    try {
      return await once(operation, { headers, body, signal: options.signal, cache: options.cache });
    } catch (error) {
      if (!options.retry || !passing(error) || tries >= TRIES_MAX) throw error;
      const pauseMs = Math.min(8000, 400 * 2 ** tries) * (0.7 + Math.random() * 0.6);
      await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, (error.retryAfterS || 0) * 1000)));
    }
  }
}

export const get = async (operation, options) => (await request(operation, options)).data;

/** A POST that changes something: safe to repeat, because its key goes along. */
export const post = async (operation, body, options) =>
  (await request(operation, { key: newKey(), retry: true, ...options, body })).data;

export const remove = (operation, options) => request(operation, { retry: true, ...options });

const part = encodeURIComponent;
const file = (path, kind) => ({ method: 'GET', path, answers: { 200: kind } });

/** What lies beside the API, as files. */
export const files = {
  config: file('/config.json', 'Config'),
  events: file('/events.json', 'EventsView'),
  venue: (layout) => file(`/layouts/${part(layout)}/venue.json`, 'Venue'),
  picture: (layout) => file(`/layouts/${part(layout)}/picture.json`, 'Picture'),
  seats: (layout) => file(`/layouts/${part(layout)}/seats.json`, 'AllSeats'),
  section: (layout, section) => file(`/layouts/${part(layout)}/sections/${part(section)}.json`, 'Section')
};
