// The edge where nginx with njs cannot be installed: the same built gate, the same routes.
//
//   node edge/local/server.mjs <routes.json>       (written by fairgate_ops.run.local.nginx)
//
// Node accepts more than the edge runtime does, so a gate that breaks its rules is refused here.

import { createHash, createHmac } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, normalize } from 'node:path';
import { createGzip } from 'node:zlib';
import { Linter } from 'eslint';
import { runtimeConfig } from '../gate/runtime-rules.mjs';

const CACHED_MAX = 5000;
const GZIP_BYTES_MIN = 1000;
const EDGE = 'x-fairgate-edge';
const FRONT_DOOR = 'x-fairgate-front-door';
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
  'content-length',
  EDGE,
  FRONT_DOOR
]);

// A fresh evaluation per request, as the runtime promises: nothing survives from one to the next.
function functionFrom(code, kvsDir) {
  const wrong = new Linter().verify(code, [runtimeConfig], { filename: 'edge.js' });
  if (wrong.length > 0) {
    const list = wrong.map((m) => `  ${m.line}:${m.column} ${m.message}`).join('\n');
    throw new Error(`The function would not run at the edge:\n${list}`);
  }
  const body = code
    .replace(/import cf from\s*['"]cloudfront['"];?/, '')
    .replace(/import crypto from\s*['"]crypto['"];?/, '');
  const evaluate = new Function('cf', 'crypto', `${body}\nreturn handler;`);
  const cf = { kvs: () => storeOf(kvsDir) };
  return (event) => evaluate(cf, { createHash, createHmac })(event);
}

function storeOf(folder) {
  const read = (key) => readFileSync(join(folder, encodeURIComponent(key)), 'utf8');
  return {
    get: async (key) => read(key),
    exists: async (key) => {
      try {
        read(key);
        return true;
      } catch (error) {
        if (error.code === 'ENOENT') return false;
        throw error;
      }
    }
  };
}

function eventOf(req, path, query, requestId) {
  const headers = {};
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i].toLowerCase();
    if (name !== 'cookie' && headers[name] === undefined) headers[name] = { value: req.rawHeaders[i + 1] };
  }
  const querystring = {};
  for (const [, name, value = ''] of query.matchAll(/([^&=]+)(?:=([^&]*))?/g)) querystring[name] = { value };
  return {
    version: '1.0',
    context: {
      distributionDomainName: req.headers.host ?? '',
      distributionId: 'LOCAL',
      eventType: 'viewer-request',
      requestId
    },
    viewer: { ip: req.socket.remoteAddress },
    request: { method: req.method, uri: path, querystring, headers, cookies: {} }
  };
}

class Edge {
  constructor(plan) {
    this.plan = plan;
    this.gate = functionFrom(readFileSync(plan.gate, 'utf8'), plan.kvsDir);
    this.screen = functionFrom(plan.screen, plan.kvsDir);
    this.pages = functionFrom(plan.pages, plan.kvsDir);
    this.routes = plan.routes.map((route) => ({ ...route, regex: new RegExp(route.pattern) }));
    this.shares = Object.entries(plan.gated).map(([pattern, to]) => [new RegExp(pattern), to]);
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 128 });
    this.cache = new Map(); // key → { answer, freshUntilMs, staleUntilMs }
    this.pending = new Map(); // key → promise: one request to the API, however many ask
    this.count = 0;
  }

  async serve(req, res) {
    const requestId = createHash('sha256')
      .update(`${process.pid}|${performance.now()}|${this.count++}`)
      .digest('hex')
      .slice(0, 32);
    try {
      await this.route(req, res, requestId);
    } catch (error) {
      console.error(`edge: ${error.stack ?? error}`);
      if (res.headersSent) res.destroy();
      else this.problem(res, 500, 'internal', 'Something went wrong.', requestId);
    }
  }

  async route(req, res, requestId) {
    const [path, query = ''] = req.url.split(/\?(.*)/s);
    const { bodyBytesMax } = this.plan;
    const tooLarge = () =>
      this.problem(res, 413, 'body-too-large', `At most ${bodyBytesMax} bytes are accepted.`, requestId);
    if (Number(req.headers['content-length'] ?? 0) > bodyBytesMax) return tooLarge();
    const body = await bodyOf(req, bodyBytesMax);
    if (body === null) return tooLarge();
    const prefix = Object.keys(this.plan.extra).find((p) => path.startsWith(p));
    if (prefix) {
      const door = prefix.startsWith('/api/');
      return this.pass(req, res, { to: this.plan.extra[prefix], target: req.url, body, requestId, door });
    }
    const route = this.routes.find((r) => r.regex.test(path));
    if (route.pages) return this.address(req, res, route, { path, query, requestId });
    if (route.origin !== 'api') return this.page(req, res, route, path, requestId);
    return this.ask(req, res, route, { path, query, body, requestId });
  }

  async address(req, res, route, { path, query, requestId }) {
    const result = await this.pages(eventOf(req, path, query, requestId));
    if (result.statusCode !== undefined) return answerOf(res, result);
    return this.page(req, res, route, result.uri, requestId);
  }

  async ask(req, res, route, { path, query, body, requestId }) {
    const decide = route.gated ? this.gate : this.screen;
    const result = await decide(eventOf(req, path, query, requestId));
    if (result.statusCode !== undefined) return answerOf(res, result);
    const pairs = Object.entries(result.querystring).map(([name, entry]) => `${name}=${entry.value}`);
    const target = result.uri + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
    if (route.cache) return this.cached(req, res, route.cache, target, requestId);
    const [, to] = this.shares.find(([pattern]) => pattern.test(result.uri)) ?? [null, this.plan.api];
    const word = route.gated ? result.headers[EDGE]?.value : undefined;
    await this.pass(req, res, { to, target, body, requestId, word });
  }

  async pass(req, res, { to, target, body, requestId, word, door = true }) {
    const headers = this.upstreamHeaders(req, requestId, door);
    if (word) headers[EDGE] = word;
    const answer = await this.fetch(to, req.method, target, headers, body);
    if (answer === null) {
      this.problem(res, 503, 'dependency-unavailable', 'The service does not answer right now.', requestId);
      return;
    }
    const everywhere = { ...answer.headers, ...(word && this.plan.everywhere) };
    send(res, answer.status, door && !word ? this.withSite(answer.headers) : everywhere, answer.body, req);
  }

  async cached(req, res, caching, target, requestId) {
    const entry = this.cache.get(keyOf(req, target));
    const now = Date.now();
    let state = 'HIT';
    let answer = entry?.answer;
    if (!entry || now >= entry.staleUntilMs) {
      state = 'MISS';
      answer = await this.refresh(req, target, caching, requestId);
      if ((!answer || answer.status >= 500) && entry) answer = entry.answer; // better old than none
    } else if (now >= entry.freshUntilMs) {
      state = 'STALE';
      this.refresh(req, target, caching, requestId).catch((error) => console.error(`edge: ${error}`));
    }
    if (!answer) {
      this.problem(res, 503, 'dependency-unavailable', 'The service does not answer right now.', requestId);
      return;
    }
    send(res, answer.status, { ...this.withSite(answer.headers), 'x-cache': state }, answer.body, req);
  }

  // The site's headers, as CloudFront's policy adds them: some yield to what the answer says itself.
  withSite(headers) {
    const own = this.plan.own.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]);
    return { ...headers, ...this.plan.headers, ...Object.fromEntries(own) };
  }

  refresh(req, target, caching, requestId) {
    const key = keyOf(req, target);
    let running = this.pending.get(key);
    if (!running) {
      running = this.fetchInto(req, target, caching, requestId).finally(() => this.pending.delete(key));
      this.pending.set(key, running);
    }
    return running;
  }

  async fetchInto(req, target, caching, requestId) {
    const headers = this.upstreamHeaders(req, requestId);
    delete headers.authorization;
    delete headers.cookie;
    delete headers['if-none-match'];
    if (acceptsGzip(req)) headers['accept-encoding'] = 'gzip';
    const key = keyOf(req, target);
    const stale = this.cache.get(key)?.answer;
    if (stale?.headers.etag) headers['if-none-match'] = stale.headers.etag;
    let answer = await this.fetch(this.plan.api, 'GET', target, headers, null);
    if (answer === null) return null;
    if (answer.status === 304 && stale) answer = { ...stale, headers: { ...stale.headers, ...answer.headers } };
    const { ttlS, staleS } = lifetime(answer, caching);
    if (ttlS > 0 && answer.status < 500) {
      const freshUntilMs = Date.now() + ttlS * 1000;
      this.cache.delete(key);
      this.cache.set(key, { answer, freshUntilMs, staleUntilMs: freshUntilMs + staleS * 1000 });
      if (this.cache.size > CACHED_MAX) this.cache.delete(this.cache.keys().next().value);
    }
    return answer;
  }

  upstreamHeaders(req, requestId, door = true) {
    const headers = {};
    for (const [name, value] of Object.entries(req.headers)) if (!HOP.has(name)) headers[name] = value;
    delete headers['accept-encoding'];
    return {
      ...headers,
      ...(door && { [FRONT_DOOR]: this.plan.frontDoor }),
      'x-forwarded-for': req.socket.remoteAddress,
      'x-forwarded-proto': 'http',
      'x-amz-cf-id': requestId
    };
  }

  /** The whole answer, or null when the upstream does not answer. */
  fetch(to, method, target, headers, body) {
    const [host, port] = to.split(':');
    return new Promise((resolve) => {
      const options = {
        host,
        port,
        method,
        path: target,
        headers: { ...headers, 'content-length': body ? body.length : 0 },
        agent: this.agent,
        timeout: 30000
      };
      const out = http.request(options, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('error', () => resolve(null));
        answer.on('end', () => {
          const passedOn = Object.entries(answer.headers).filter(([name]) => !HOP.has(name));
          resolve({ status: answer.statusCode, headers: Object.fromEntries(passedOn), body: Buffer.concat(chunks) });
        });
      });
      out.on('timeout', () => out.destroy(new Error('timeout')));
      out.on('error', () => resolve(null));
      out.end(body ?? undefined);
    });
  }

  async page(req, res, route, path, requestId) {
    const missing = () => this.problem(res, 404, 'not-found', 'There is nothing here.', requestId);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      return this.problem(res, 405, 'method-not-allowed', 'This method is not possible here.', requestId);
    }
    const layouts = route.origin === 'layouts';
    let name;
    try {
      name = normalize(decodeURIComponent(layouts ? path.replace(/^\/layouts/, '') : path));
    } catch {
      return missing();
    }
    if (!name.startsWith('/') || name.includes('\0') || path.includes('..') || /%2e/i.test(path)) return missing();
    const file = join(
      layouts ? this.plan.layoutsRoot : this.plan.webRoot,
      name.endsWith('/') ? `${name}index.html` : name
    );
    const info = await stat(file).catch(() => null);
    if (!info?.isFile()) return missing();
    const type = this.plan.types[extname(file).slice(1)] ?? 'application/octet-stream';
    const headers = {
      ...this.plan.headers,
      'content-type': type,
      'cache-control': route.kept,
      etag: `W/"${info.mtimeMs.toString(36)}-${info.size}"`
    };
    if (req.headers['if-none-match'] === headers.etag) return send(res, 304, headers);
    const zip = info.size >= GZIP_BYTES_MIN && zips(type) && acceptsGzip(req);
    if (zip) headers['content-encoding'] = 'gzip';
    else headers['content-length'] = info.size;
    res.writeHead(200, { ...headers, vary: 'Accept-Encoding' });
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    const stream = createReadStream(file);
    stream.on('error', () => res.destroy());
    (zip ? stream.pipe(createGzip({ level: 4 })) : stream).pipe(res);
  }

  problem(res, status, code, detail, requestId) {
    const title = code[0].toUpperCase() + code.slice(1).replaceAll('-', ' ');
    const body = { type: `urn:fairgate:problem:${code}`, title, status, detail, code, request_id: requestId };
    const headers = {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...this.plan.everywhere
    };
    if (status === 503) headers['retry-after'] = this.plan.retryAfterS;
    if (status === 413) headers.connection = 'close';
    send(res, status, headers, Buffer.from(JSON.stringify(body)));
  }
}

function lifetime(answer, caching) {
  const cacheControl = String(answer.headers['cache-control'] ?? '');
  const seconds = (name) => {
    const match = new RegExp(`(?:^|[ ,])${name}=(\\d+)`).exec(cacheControl);
    return match === null ? null : Number(match[1]);
  };
  if (/no-store|no-cache|private/.test(cacheControl) || answer.headers['set-cookie']) return { ttlS: 0, staleS: 0 };
  const asked = seconds('s-maxage') ?? seconds('max-age') ?? (answer.status === 200 ? caching.defaultTtlS : 0);
  return { ttlS: Math.min(asked, caching.ttlMaxS), staleS: seconds('stale-while-revalidate') ?? 0 };
}

const zips = (type) => /^text\/|json|svg|xml/.test(type);
// The accepted encoding is part of the key, in one spelling, as CloudFront has it.
const keyOf = (req, target) => `${target} ${acceptsGzip(req) ? 'gzip' : ''}`;
const acceptsGzip = (req) => /\bgzip\b/.test(req.headers['accept-encoding'] ?? '');

function send(res, status, headers, body, req) {
  const bare = status === 204 || status === 304;
  res.writeHead(status, bare ? headers : { ...headers, 'content-length': body.length });
  res.end(bare || req?.method === 'HEAD' ? undefined : body);
}

/** Sends what a function at the edge answered by itself. */
function answerOf(res, result) {
  const headers = Object.fromEntries(Object.entries(result.headers).map(([name, entry]) => [name, entry.value]));
  send(res, result.statusCode, headers, Buffer.from(result.body));
}

async function bodyOf(req, bytesMax) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let edge;
try {
  edge = new Edge(plan);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
console.log('This server replaces nginx with njs, which is not installed: same gate, same routes.');
const server = http.createServer({ maxHeaderSize: 32768 }, (req, res) => edge.serve(req, res));
server.listen(plan.port, plan.host, () => console.log(`Listening on http://${plan.host}:${plan.port}`));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
