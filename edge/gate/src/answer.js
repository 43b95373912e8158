// What the edge itself answers.

// `json` is the body's text.
export function answer(status, reason, json, type) {
  return {
    statusCode: status,
    statusDescription: reason,
    headers: { 'content-type': { value: type || 'application/json' }, 'cache-control': { value: 'no-store' } },
    body: json
  };
}

// RFC 9457. `more` may hold a state for the body, and the headers allow and retry-after.
export function problem(status, reason, code, detail, requestId, more) {
  var body = {
    type: 'urn:fairgate:problem:' + code,
    title: reason,
    status: status,
    detail: detail,
    code: code,
    request_id: requestId,
    state: more.state
  };
  var response = answer(status, reason, JSON.stringify(body), 'application/problem+json');
  ['allow', 'retry-after'].forEach(function (name) {
    if (more[name] !== undefined) {
      response.headers[name] = { value: more[name] };
    }
  });
  return response;
}
