// Before the pages: the address of an event, /e/<event>, is the file of its page, or else the page of all, which reads
// the address; robots.txt; and a friendly answer where nothing is, so that no search engine keeps the address of an
// event that there is not.

import cf from 'cloudfront';

const FILES = ['/', '/index.html', '/console.html', '/config.json', '/events.json', '/sitemap.xml'];
const EVENT = /^\/e\/([a-z0-9][a-z0-9-]{0,39})$/;
const ROBOTS = 'User-agent: *\nAllow: /api/events\nDisallow: /api/\n';
// Both are put in by infra/screen.py, from 404.html.
const MISSING = '';
const MISSING_POLICY = '';

export async function handler(event) {
  const request = event.request;
  const named = EVENT.exec(request.uri);
  if (request.uri === '/robots.txt') {
    const map = 'Sitemap: https://' + request.headers.host.value + '/sitemap.xml\n';
    return text(200, 'OK', 'text/plain', ROBOTS + map);
  }
  const file = named ? await fileOf(named[1]) : request.uri === '/console' ? '/console.html' : request.uri;
  if (file === null || (!named && FILES.indexOf(file) < 0)) {
    return missing(request.headers['accept-language']);
  }
  request.uri = file;
  return request;
}

// An event has a mark once its page is written (write_pages.py), and from its creation on a value for the gate, drafts
// as well. A store that does not answer keeps nobody out.
async function fileOf(name) {
  try {
    const store = cf.kvs();
    const written = await store.exists('p:' + name);
    if (written) {
      return '/e/' + name + '.html';
    }
    const exists = await store.exists('e:' + name);
    return exists === false ? null : '/index.html';
  } catch (error) {
    console.log('pages: ' + error);
    return '/index.html';
  }
}

// In the first language of the visitor that there is, else in English.
function missing(accepted) {
  // The languages are put in by infra/screen.py, from 404.json: here, so that they cost no page anything.
  const WORDS = '';
  const language = languageOf(accepted ? accepted.value : '', WORDS);
  const words = [language, language === 'ar' ? 'rtl' : 'ltr'].concat(WORDS[language]);
  const body = MISSING.split('{}').map(function (part, i) {
    return i < words.length ? part + words[i] : part;
  });
  const answer = text(404, 'Not found', 'text/html; charset=utf-8', body.join(''));
  answer.headers['content-language'] = { value: language };
  answer.headers.vary = { value: 'accept-language' };
  answer.headers['content-security-policy'] = { value: MISSING_POLICY };
  return answer;
}

function languageOf(accepted, words) {
  const asked = accepted.split(',', 20);
  for (let i = 0; i < asked.length; i++) {
    const named = /^ *([a-z][a-z])(-[a-z0-9-]*)? *($|; *q=(1|0\.\d*[1-9]))/i.exec(asked[i]);
    if (named !== null && words[named[1].toLowerCase()] !== undefined) {
      return named[1].toLowerCase();
    }
  }
  return 'en';
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
