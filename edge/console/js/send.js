// A request to the service: its answer, or a problem that says in a sentence what happened.

const TIMEOUT_MS = 35000; // the gateway ends an act after 30 s

export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || `The service answered ${status}.`);
    this.status = status;
    this.code = body.code || '';
    this.fields = body;
  }
}

const SILENT = 'The service did not answer. The line may be interrupted.';

/** Sends it once and returns the JSON document of the answer. Throws Problem. */
export async function send(method, path, { body, headers } = {}) {
  const sent = { accept: 'application/json', ...headers };
  if (body !== undefined) sent['content-type'] = 'application/json';
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS)
    });
  } catch {
    throw new Problem(0, { code: 'no-answer', detail: SILENT });
  }
  const document = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(answer.status, document ?? { detail: refused(answer.status) });
  if (document === null) throw new Problem(0, { code: 'no-answer', detail: SILENT });
  return document;
}

function refused(status) {
  if (status === 429) return 'Too many requests at once. Try again in a few seconds.';
  if (status === 403) return 'The firewall refuses this.';
  return `The service answered ${status} without a reason.`;
}
