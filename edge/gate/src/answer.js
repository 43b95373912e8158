// What the edge itself answers.

const REASONS = {
  200: 'OK',
  202: 'Accepted',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  503: 'Service Unavailable'
};

// `json` is the body's text.
export function answer(status, json, type) {
  return {
    statusCode: status,
    statusDescription: REASONS[status],
    headers: { 'content-type': { value: type || 'application/json' }, 'cache-control': { value: 'no-store' } },
    body: json
  };
}

// RFC 9457. `more` may hold a state for the body, and the headers allow and retry-after.
export function problem(status, code, detail, requestId, more) {
  const body = {
    type: 'urn:fairgate:problem:' + code,
    title: REASONS[status],
    status: status,
    detail: detail,
    code: code,
    request_id: requestId,
    state: more.state
  };
  const said = answer(status, JSON.stringify(body), 'application/problem+json');
  ['allow', 'retry-after'].forEach(function (name) {
    if (more[name] !== undefined) {
      said.headers[name] = { value: more[name] };
    }
  });
  return said;
}
