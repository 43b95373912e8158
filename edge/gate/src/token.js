// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { onGrid } from './draw.js';
import { base64url, fits, mac, matched, sameDigest } from './mac.js';

const WHOLE = '(0|[1-9][0-9]{0,10})';
const SUB = '"sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})"';
const BYTES_16 = '"([A-Za-z0-9_-]{21}[AQgw])"';
// A payload is exactly its claims in their order, each in one spelling: nothing is left to how a
// parser treats a repeated name, an unknown escape or a number with leading zeros.
const AUTH = new RegExp('^\\{' + SUB + ',"iat":' + WHOLE + ',"exp":' + WHOLE +
  '(?:,"grp":\\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\\])?\\}$');
const PLACE = new RegExp('^\\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})"' +
  ',"evt":"([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)",' + SUB + ',"iat":' + WHOLE + ',"exp":' + WHOLE +
  ',"h":((?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,25})?(?:e-[0-9]{1,2})?)' +
  ',"lot":' + BYTES_16 + ',"ch":' + BYTES_16 +
  ',"pow":([0-9]|[12][0-9]|3[0-2]),"boff":' + WHOLE + ',"lvl":([01])\\}$');
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function header(typ, kid) {
  return base64url(Buffer.from('{"typ":"' + typ + '","alg":"HS256","kid":"' + kid + '"}'));
}

// The match of the payload, or null: bad shape, unknown key or bad signature.
function verified(typ, shape, text, keys, charsMax) {
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
  // One spelling for one payload: bits that no byte holds are refused, too.
  const payload = Buffer.from(parts[1], 'base64url');
  return base64url(payload) === parts[1] ? matched(shape, payload.toString()) : null;
}

// Who is calling, or null. `value` is the Authorization header.
export function caller(value, keys, now) {
  const claims = verified('JWT', AUTH, value.slice(7), keys, 2048);
  return claims !== null && Number(claims[3]) > now ? claims[1] : null;
}

// The waiting token's claims, or null. Expiry is the caller's question.
export function waitingClaims(text, keys) {
  const claims = verified('WR', PLACE, text, keys, 1024);
  return claims === null ? null : {
    id: claims[1], evt: claims[2], sub: claims[3], iat: Number(claims[4]), exp: Number(claims[5]),
    h: onGrid(Number(claims[6])), lot: claims[7], ch: claims[8], pow: Number(claims[9]),
    boff: Number(claims[10]), lvl: Number(claims[11])
  };
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
