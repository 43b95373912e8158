// What the edge itself answers.

const REASONS = {
  200: 'OK',
  202: 'Accepted',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  503: 'Service Unavailable'
};

function response(status, type, body, extra) {
  const headers = { 'content-type': { value: type }, 'cache-control': { value: 'no-store' } };
  Object.keys(extra).forEach(function (name) {
    headers[name] = { value: String(extra[name]) };
  });
  return {
    statusCode: status,
    statusDescription: REASONS[status],
    headers: headers,
    body: JSON.stringify(body)
  };
}

export function answer(status, body, extra) {
  return response(status, 'application/json', body, extra || {});
}

// RFC 9457.
export function problem(status, code, detail, requestId, extra, state) {
  const body = {
    type: 'urn:fairgate:problem:' + code,
    title: REASONS[status],
    status: status,
    detail: detail,
    code: code,
    request_id: requestId
  };
  if (state) {
    body.state = state;
  }
  return response(status, 'application/problem+json', body, extra || {});
}
