// Every call to the API: problems become ApiProblem, a lost network becomes OfflineError.

import { syncToHeaders } from './clock.js';

const TIMEOUT_MS = 12000;
const TRIES_MAX = 4;

// What the gateway before our functions answers by itself carries no code of ours. It refuses what is over a route's
// rate. Source: API Gateway Developer Guide, "Throttle requests to your HTTP APIs".
function nameOf(status) {
  if (status === 429) return 'too-many-requests';
  return status >= 500 ? 'internal' : 'error';
}

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

export class OfflineError extends Error {
  constructor() {
    super('The service cannot be reached.');
    this.code = 'offline';
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

async function once(method, path, { headers, body, signal, cache }) {
  const ends = new AbortController();
  const stop = () => ends.abort();
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal?.addEventListener('abort', stop);
  try {
    const answer = await fetch(path, { method, headers, body, cache, signal: ends.signal, credentials: 'same-origin' });
    syncToHeaders(answer.headers);
    const type = answer.headers.get('content-type') || '';
    const data = answer.status === 204 ? null : type.includes('json') ? await answer.json() : await answer.blob();
    if (!answer.ok) throw new ApiProblem(answer.status, type.includes('json') ? data : {}, retryAfter(answer.headers));
    return { status: answer.status, data, retryAfterS: retryAfter(answer.headers) };
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    if (signal?.aborted) throw new DOMException('The page moved on.', 'AbortError');
    throw new OfflineError();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

// A 503 that says until when it may last is an answer for the buyer; a limit passes before a buyer knows.
const passing = (error) =>
  error instanceof OfflineError ||
  error.code === 'too-many-requests' ||
  ([502, 503, 504].includes(error.status) && !error.fields.settling_until);

/**
 * Sends an operation of operations.js, or asks for a file: once, or with `retry` up to four times, with growing
 * pauses and the same idempotency key.
 * Options: token (auth JWT), credential (session), body, headers, key, retry, signal, and `cache`
 * as fetch has it.
 */
export async function request({ method, path }, options = {}) {
  const headers = { accept: 'application/json', ...options.headers };
  if (options.token) headers.authorization = `Bearer ${options.token}`;
  if (options.credential) headers['x-fairgate-session'] = options.credential;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (options.key) headers['idempotency-key'] = options.key;
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  for (let tries = 1; ; tries++) {
    try {
      return await once(method, path, { headers, body, signal: options.signal, cache: options.cache });
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
const file = (path) => ({ method: 'GET', path });

/** What lies beside the API, as files. */
export const files = {
  config: file('/config.json'),
  venue: (layout) => file(`/layouts/${part(layout)}/venue.json`),
  section: (layout, section) => file(`/layouts/${part(layout)}/sections/${part(section)}.json`)
};
