// Before the routes of the API that the gate does not decide about: what no function has to be asked for is
// answered here, before it counts against a throttle that all callers share. It proves nothing: a sign-in that
// only looks like one passes, and the API verifies it.

import cf from 'cloudfront';

// The routes by the parts of their paths, '*' for any part; under '' each method with what it needs: how many
// credentials, then the parameters that it takes. infra/screen.py writes them here.
const ROUTES = {};
const EVENTS = 'events';
const EVENT = /^[a-z0-9][a-z0-9-]{0,39}$/;
// As fairgate/domain/shared/jws.py makes it: the header `{"typ":"JWT","alg":"HS256","kid":`, and HS256's length.
const SIGN_IN = /^bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6[\w-]+\.[\w-]+\.[\w-]{43}$/;
const SIGN_IN_CHARS_MAX = 2055;
const SCHEME_CHARS = 7;
const NO_SESSION = 'The header x-fairgate-session is missing.';

export async function handler(event) {
  const request = event.request;
  const parts = request.uri.split('/');
  const methods = methodsOf(parts);
  if (methods === null) {
    return problem(event, 404, 'not-found', 'There is nothing at this address.');
  }
  if (!own(methods, request.method)) {
    return otherMethod(event, Object.keys(methods).join(', '));
  }
  const route = methods[request.method];
  const lacks = lacking(request.headers, route[0]);
  if (lacks !== '') {
    return problem(event, 401, 'unauthenticated', lacks, lacks === NO_SESSION ? 'no-session' : undefined);
  }
  if (parts[2] === EVENTS && parts.length > 3 && (await unknown(parts[3]))) {
    return problem(event, 404, 'not-found', 'There is no such event.');
  }
  keepOnly(request.querystring, route);
  return request;
}

function own(node, name) {
  return Object.prototype.hasOwnProperty.call(node, name);
}

// null where no route is.
function methodsOf(parts) {
  let node = ROUTES;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i];
    if (part === '' || !(own(node, part) || own(node, '*'))) {
      return null;
    }
    node = own(node, part) ? node[part] : node['*'];
  }
  return own(node, '') ? node[''] : null;
}

function lacking(headers, credentials) {
  if (credentials > 0) {
    const given = headers.authorization ? headers.authorization.value : '';
    const scheme = given.slice(0, SCHEME_CHARS).toLowerCase();
    if (scheme !== 'bearer ') {
      return 'Please sign in first.';
    }
    if (given.length > SIGN_IN_CHARS_MAX || !SIGN_IN.test(scheme + given.slice(SCHEME_CHARS))) {
      return 'Your sign-in does not verify. Please sign in again.';
    }
  }
  return credentials > 1 && !headers['x-fairgate-session'] ? NO_SESSION : '';
}

// Every event has a value for the gate, drafts as well. A store that does not answer keeps nobody out.
async function unknown(name) {
  if (!EVENT.test(name)) {
    return true;
  }
  try {
    const exists = await cf.kvs().exists('e:' + name);
    return exists === false;
  } catch (error) {
    console.log('screen: ' + error);
    return false;
  }
}

// Of a parameter that is given twice the last counts.
function keepOnly(query, route) {
  Object.keys(query).forEach((name) => {
    if (route.indexOf(name) < 1) {
      delete query[name];
    } else {
      query[name] = { value: query[name].value };
    }
  });
}

function otherMethod(event, allowed) {
  const answer = problem(event, 405, 'method-not-allowed', 'This address takes ' + allowed + '.');
  if (event.request.method === 'OPTIONS') {
    answer.statusCode = 204;
    answer.statusDescription = 'No content';
    delete answer.headers['content-type'];
    answer.body = '';
  }
  answer.headers.allow = { value: allowed };
  return answer;
}

// RFC 9457, as fairgate/http/problems.py writes it.
function problem(event, status, code, detail, verdict) {
  const title = code[0].toUpperCase() + code.slice(1).replace(/-/g, ' ');
  const body = {
    type: 'urn:fairgate:problem:' + code,
    title: title,
    status: status,
    code: code,
    detail: detail,
    request_id: event.context.requestId,
    verdict: verdict
  };
  return {
    statusCode: status,
    statusDescription: title,
    // The last two as infra/headers.py says: CloudFront's policy adds nothing to what is made here.
    headers: {
      'content-type': { value: 'application/problem+json' },
      'cache-control': { value: 'no-store' },
      'strict-transport-security': { value: 'max-age=31536000' },
      'x-content-type-options': { value: 'nosniff' }
    },
    body: JSON.stringify(body)
  };
}
