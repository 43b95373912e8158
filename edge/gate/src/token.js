// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { base64url, fits, mac, sameDigest } from './mac.js';

const SUB = /^[A-Za-z0-9][A-Za-z0-9._:|@-]{0,127}$/;
const TOKEN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
const BYTES_16 = /^[A-Za-z0-9_-]{21}[AQgw]$/;
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function header(typ, kid) {
  return base64url(Buffer.from('{"typ":"' + typ + '","alg":"HS256","kid":"' + kid + '"}'));
}

function isTime(value) {
  return Number.isInteger(value) && value >= 0 && value <= 1e11;
}

// The claims, or null: bad shape, unknown key or bad signature.
function verified(typ, text, keys, charsMax) {
  if (typeof text !== 'string' || text.length > charsMax || !fits(COMPACT, text)) {
    return null;
  }
  const parts = text.split('.');
  const kid = Object.keys(keys).find(function (name) {
    return header(typ, name) === parts[0];
  });
  if (kid === undefined) {
    return null;
  }
  const digest = mac(keys[kid], parts[0] + '.' + parts[1]);
  if (!sameDigest(digest, Buffer.from(parts[2], 'base64url'))) {
    return null;
  }
  const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
  return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? claims : null;
}

// Who is calling, or null. `value` is the Authorization header.
export function caller(value, keys, now) {
  const claims = verified('JWT', value.slice(7), keys, 2048);
  if (claims === null || !fits(SUB, claims.sub) || !isTime(claims.iat) || !isTime(claims.exp) ||
      claims.exp <= now) {
    return null;
  }
  return claims.sub;
}

// The waiting token's claims, or null. Expiry is the caller's question.
export function waitingClaims(text, keys) {
  const claims = verified('WR', text, keys, 1024);
  if (claims === null) {
    return null;
  }
  const whole = fits(TOKEN_ID, claims.id) && typeof claims.evt === 'string' && fits(SUB, claims.sub) &&
    isTime(claims.iat) && isTime(claims.exp) && isTime(claims.boff) &&
    Number.isFinite(claims.h) && claims.h >= 0 &&
    fits(BYTES_16, claims.lot) && fits(BYTES_16, claims.ch) &&
    Number.isInteger(claims.pow) && claims.pow >= 0 && claims.pow <= 32 &&
    (claims.lvl === 0 || claims.lvl === 1);
  return whole ? claims : null;
}

// Written by hand, because this engine may enumerate a large object out of order. No claim can
// hold a character that JSON would escape.
export function signed(claims, gate) {
  const payload = '{"id":"' + claims.id + '","evt":"' + claims.evt + '","sub":"' + claims.sub +
    '","iat":' + claims.iat + ',"exp":' + claims.exp + ',"h":' + claims.h +
    ',"lot":"' + claims.lot + '","ch":"' + claims.ch + '","pow":' + claims.pow +
    ',"boff":' + claims.boff + ',"lvl":' + claims.lvl + '}';
  const text = header('WR', gate.tc) + '.' + base64url(Buffer.from(payload));
  return text + '.' + base64url(mac(gate.t[gate.tc], text));
}
