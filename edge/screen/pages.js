// Before the pages: the address of an event, /e/<event>, is the page itself, which reads it; robots.txt; and a friendly
// answer where nothing is, so that no search engine keeps the address of an event that there is not.

import cf from 'cloudfront';

const FILES = ['/', '/index.html', '/config.json'];
const EVENT = /^\/e\/([a-z0-9][a-z0-9-]{0,39})$/;
const ROBOTS = 'User-agent: *\nAllow: /api/events\nDisallow: /api/\n';
const MISSING =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Not found – Fairgate</title><h1>There is nothing at this address</h1>' +
  '<p>The event may be over, or the address is not complete.</p><p><a href="/">All events</a></p></html>\n';

export async function handler(event) {
  const request = event.request;
  const named = EVENT.exec(request.uri);
  if (request.uri === '/robots.txt') {
    return text(200, 'OK', 'text/plain', ROBOTS);
  }
  if (named ? await unknown(named[1]) : FILES.indexOf(request.uri) < 0) {
    return text(404, 'Not found', 'text/html; charset=utf-8', MISSING);
  }
  if (named) {
    request.uri = '/index.html';
  }
  return request;
}

// Every event has a value for the gate, drafts as well. A store that does not answer keeps nobody out.
async function unknown(name) {
  try {
    const exists = await cf.kvs().exists('e:' + name);
    return exists === false;
  } catch (error) {
    console.log('pages: ' + error);
    return false;
  }
}

function text(status, description, type, body) {
  return {
    statusCode: status,
    statusDescription: description,
    // The last two as infra/headers.py says: CloudFront's policy adds nothing to what is made here.
    headers: {
      'content-type': { value: type },
      'cache-control': { value: 'public, max-age=60' },
      'strict-transport-security': { value: 'max-age=31536000' },
      'x-content-type-options': { value: 'nosniff' }
    },
    body: body
  };
}
