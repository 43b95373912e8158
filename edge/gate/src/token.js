// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import crypto from 'crypto';
import { LIFE_S } from './gate.js';
import { same, signature } from './mac.js';

const TAIL_CHARS = 44; // the point and the signature
const BEARER_CHARS_MAX = 2055; // with the scheme
const TOKEN_CHARS_MAX = 1024;
const SCHEME = 'Bearer ';
const SCHEME_CHARS = 7;
export const AHEAD_S = 60; // no clock of ours is this much ahead of another
// The scheme and the header `{"typ":"JWT","alg":"HS256","kid":`, and WR likewise. The rest, from the key id to the
// point, stands in the gate's rules as a head.
const SIGNED_IN = 'Bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6';
const TOKEN_START = 'eyJ0eXAiOiJXUiIsImFsZyI6IkhTMjU2Iiwia2lkIjoi';
// A payload is exactly its claims in their order, each in one spelling, with blanks before the last
// brace up to a multiple of three bytes: nothing is left to how a parser treats a repeated name, an
// unknown escape or a number with leading zeros, nor to how a decoder treats odd bits. Literals on one
// line, because whatever is joined while it runs is compiled at every request. SHAPE is the claims of a
// caller and, behind them, of a place; one match costs this engine much less than two.
const SHAPE =
  /^\{"sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})","iat":([1-9][0-9]{9}),"exp":([1-9][0-9]{9})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])? {0,2}\}(?:\{"exp":([1-9][0-9]{9}),"boff":([1-9][0-9]{9}),"lvl":[01],"iat":([1-9][0-9]{9}),"lot":"([A-Za-z0-9_-]{21}[AQgw])","ch":"([A-Za-z0-9_-]{21}[AQgw])","id":"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{4}([0-9a-f]{8})","pow":([0-9]|[12][0-9]|3[0-2]),"h":(0|[1-9][0-9]{0,20}),"evt":"([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)","sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})" {0,2}\})?$/;

// Where it finds what.
export const PAYLOAD = 0;
export const CALLER = 1;
export const CALLER_IAT = 2;
export const CALLER_EXP = 3;
export const EXP = 4;
export const BOFF = 5;
export const IAT = 6;
export const LOT = 7;
export const CH = 8;
export const DIGITS = 9; // the last eight of the id
export const POW = 10;
export const H = 11;
export const EVT = 12;
export const SUB = 13;

// The Authorization header in the one spelling of its scheme; any other counts too (RFC 9110, section
// 11.1). All else is left as it came.
export function bearerOf(entry) {
  var value = entry ? entry.value : '';
  return value.startsWith(SIGNED_IN)
    ? value
    : value.slice(0, 7).toLowerCase() === 'bearer '
      ? SCHEME + value.slice(7)
      : '';
}

// Whether it is worth a read of the store and a hash.
export function mayVerify(bearer) {
  return bearer.startsWith(SIGNED_IN) && bearer.length <= BEARER_CHARS_MAX;
}

// The match of SHAPE for a caller alone, or null.
export function callerOf(bearer, head, key) {
  var start = SIGNED_IN + head;
  if (!bearer.startsWith(start)) {
    return null;
  }
  var tail = bearer.slice(-TAIL_CHARS),
    made = '.' + signature(key, bearer.slice(SCHEME_CHARS, -TAIL_CHARS));
  return same(tail + tail, made + made) ? claimsIn(bearer.slice(start.length, -TAIL_CHARS), false) : null;
}

// The match of SHAPE for both, or null when one of the two is not in order. In place of all that matched
// it has the place's own payload as it came.
export function bothOf(bearer, token, authHead, authKey, tokenHead, tokenKey) {
  var start = SIGNED_IN + authHead,
    tokenStart = TOKEN_START + tokenHead;
  if (
    !bearer.startsWith(start) ||
    !token.startsWith(tokenStart) ||
    token.length > TOKEN_CHARS_MAX ||
    !same(
      bearer.slice(-TAIL_CHARS) + token.slice(-TAIL_CHARS),
      '.' +
        crypto.createHmac('sha256', authKey).update(bearer.slice(SCHEME_CHARS, -TAIL_CHARS)).digest('base64url') +
        '.' +
        crypto.createHmac('sha256', tokenKey).update(token.slice(0, -TAIL_CHARS)).digest('base64url')
    )
  ) {
    return null;
  }
  var payload = token.slice(tokenStart.length, -TAIL_CHARS),
    match = claimsIn(bearer.slice(start.length, -TAIL_CHARS) + payload, true);
  if (match !== null) {
    match[PAYLOAD] = payload;
  }
  return match;
}

// The match of the whole payload, or null: three bytes for every four characters, so nothing is
// padded, left over or behind the match. ASCII without > ? ~, which is all that the shapes take, has
// the same spelling in base64; atob is this engine's fastest way.
function claimsIn(payload, both) {
  try {
    var match = SHAPE.exec(atob(payload));
    return match !== null && match[0].length * 4 === payload.length * 3 && (match[SUB] !== undefined) === both
      ? match
      : null;
  } catch (error) {
    return null;
  }
}

// A first token. No claim can hold a character that JSON would escape.
export function issued(rules, head, key, claims, boff) {
  var claimed =
    `{"exp":${boff + rules[LIFE_S]},"boff":${boff},"lvl":0,"iat":${claims.iat},"lot":"${claims.lot}",` +
    `"ch":"${claims.ch}","id":"${claims.id}","pow":${claims.pow},"h":${claims.h},` +
    `"evt":"${claims.evt}","sub":"${claims.sub}"`;
  var covered =
    TOKEN_START + head + Buffer.from(claimed + ['  }', ' }', '}'][claimed.length % 3]).toString('base64url');
  return covered + '.' + signature(key, covered);
}

// The same place with a new time to come back; all else as it was, byte for byte: `exp` and `boff`
// are the first 36 bytes of the claims, 48 characters.
export function postponed(rules, head, key, payload, boff) {
  var covered =
    TOKEN_START + head + btoa('{"exp":' + (boff + rules[LIFE_S]) + ',"boff":' + boff + ',') + payload.slice(48);
  return covered + '.' + crypto.createHmac('sha256', key).update(covered).digest('base64url');
}
