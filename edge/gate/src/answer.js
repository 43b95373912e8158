// What the edge itself answers.

const JSON_TYPE = { value: 'application/json' };
const NO_STORE = { value: 'no-store' };

// `json` is the body's text.
export function answer(status, title, json, after, type) {
  var headers = { 'content-type': type || JSON_TYPE, 'cache-control': NO_STORE };
  if (after) {
    headers['retry-after'] = { value: '' + after };
  }
  return { statusCode: status, statusDescription: title, headers: headers, body: json };
}

// RFC 9457, as fairgate/http/problems.py writes it. `more` is the text of further members, each behind
// a comma. No word of ours and no request's id holds a character that JSON would escape.
export function problem(event, status, code, detail, after, more) {
  var title = code[0].toUpperCase() + code.slice(1).replace(/-/g, ' ');
  return answer(
    status,
    title,
    `{"type":"urn:fairgate:problem:${code}","title":"${title}","status":${status},"code":"${code}",` +
      `"detail":"${detail}","request_id":"${event.context ? event.context.requestId : ''}"` +
      `${after ? ',"retry_after":' + after : ''}${more || ''}}`,
    after,
    { value: 'application/problem+json' }
  );
}
