// What the edge itself answers.

const JSON_TYPE = { value: 'application/json' };
const PROBLEM_TYPE = { value: 'application/problem+json' };
const NO_STORE = { value: 'no-store' };
// As infra/headers.py says: CloudFront's policy adds them to what the origin answers, and to nothing that is made here.
const HTTPS_ONLY = { value: 'max-age=31536000' };
const NO_SNIFF = { value: 'nosniff' };

// `json` is the body's text.
export function answer(status, title, json, after, type) {
  var headers = {
    'content-type': type || JSON_TYPE,
    'cache-control': NO_STORE,
    'strict-transport-security': HTTPS_ONLY,
    'x-content-type-options': NO_SNIFF
  };
  if (after) {
    headers['retry-after'] = { value: '' + after };
  }
  return { statusCode: status, statusDescription: title, headers: headers, body: json };
}

// RFC 9457, as fairgate/http/problems.py writes it, but that the detail is title and reason: sentences would fill a
// tenth of the function, and pages have their own. `more` names a member that the reason is, too. No
// word of ours and no request's id holds a character that JSON would escape.
export function problem(requestId, status, code, why, after, more) {
  var title = code[0].toUpperCase() + code.slice(1).replace(/-/g, ' ');
  return answer(
    status,
    title,
    '{"type":"urn:fairgate:problem:'.concat(
      code,
      '","title":"',
      title,
      '","status":',
      status,
      ',"code":"',
      code,
      '","detail":"',
      title,
      ': ',
      why,
      '.","request_id":"',
      requestId,
      after ? '","retry_after":' + after : '"',
      more ? ',"' + more + '":"' + why + '"}' : '}'
    ),
    after,
    PROBLEM_TYPE
  );
}
