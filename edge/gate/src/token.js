// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { LIFE_S, TOKEN_HEAD, keyOf } from './gate.js';
import { same, signature } from './mac.js';

const TAIL_CHARS = 44; // the point and the signature
const AUTH_CHARS_MAX = 2011; // with the scheme, without the tail
const TOKEN_CHARS_MAX = 980; // without the tail
// The header `{"typ":"JWT","alg":"HS256","kid":`, and WR likewise. The rest, from the key id to the
// point, stands in the gate's rules as a head.
const AUTH_START = 'Bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6';
const TOKEN_START = 'eyJ0eXAiOiJXUiIsImFsZyI6IkhTMjU2Iiwia2lkIjoi';
const PLACE_START = 'eyJsdmwiO'; // of the claims below: {"lvl":
// A payload is exactly its claims in their order, each in one spelling, with blanks before the last
// brace up to a multiple of three bytes: nothing is left to how a parser treats a repeated name, an
// unknown escape or a number with leading zeros, nor to how a decoder treats odd bits. Literals on one
// line, because whatever is joined while it runs is compiled at every request. BOTH is the claims of
// a caller and of a place; one match costs this engine much less than two.
const AUTH = /^\{"sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})","iat":([1-9][0-9]{9}),"exp":([1-9][0-9]{9})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])? {0,2}\}$/;
const BOTH = /^\{"sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})","iat":([1-9][0-9]{9}),"exp":([1-9][0-9]{9})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])? {0,2}\}\{"lvl":[01],"exp":([1-9][0-9]{9}),"boff":([1-9][0-9]{9}),"iat":([1-9][0-9]{9}),"lot":"([A-Za-z0-9_-]{21}[AQgw])","ch":"([A-Za-z0-9_-]{21}[AQgw])","id":"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})","pow":([0-9]|[12][0-9]|3[0-2]),"h":(0|[1-9][0-9]{0,20}),"evt":"([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)","sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})" {0,2}\}$/;

// Where the two find what.
export const CALLER = 1;
export const CALLER_IAT = 2;
export const CALLER_EXP = 3;
export const EXP = 4;
export const BOFF = 5;
export const IAT = 6;
export const LOT = 7;
export const CH = 8;
export const ID = 9;
export const POW = 10;
export const H = 11;
export const EVT = 12;
export const SUB = 13;

// Any spelling of the scheme counts (RFC 9110, section 11.1); all else is left as it came.
export function withScheme(value) {
  return value.slice(0, 7).toLowerCase() === 'bearer ' ? 'Bearer ' + value.slice(7) : '';
}

// The match of AUTH: who is calling, or null. `bearer` is the Authorization header; `head` is where
// the rules have the head that its key goes by.
export function callerOf(bearer, rules, text, head) {
  const start = AUTH_START + rules[head];
  const end = bearer.length - TAIL_CHARS;
  if (!bearer.startsWith(start) || end > AUTH_CHARS_MAX) {
    return null;
  }
  const given = bearer.slice(end);
  const made = '.' + signature(keyOf(text, head), bearer.slice(7, end));
  return same(given + given, made + made) ? claimsIn(AUTH, bearer.slice(start.length, end)) : null;
}

// The match of BOTH, or null when one of the two is not in order.
export function bothOf(bearer, token, rules, text, head, tokenHead) {
  const start = AUTH_START + rules[head];
  const tokenStart = TOKEN_START + rules[tokenHead];
  const end = bearer.length - TAIL_CHARS;
  const tokenEnd = token.length - TAIL_CHARS;
  if (!bearer.startsWith(start) || !token.startsWith(tokenStart + PLACE_START) || end > AUTH_CHARS_MAX || tokenEnd > TOKEN_CHARS_MAX) {
    return null;
  }
  const made = '.' + signature(keyOf(text, head), bearer.slice(7, end)) +
    '.' + signature(keyOf(text, tokenHead), token.slice(0, tokenEnd));
  return same(bearer.slice(end) + token.slice(tokenEnd), made) ?
    claimsIn(BOTH, bearer.slice(start.length, end) + token.slice(tokenStart.length, tokenEnd)) : null;
}

// The match of the whole payload, or null: three bytes for every four characters, so nothing is
// padded, left over or behind the match. ASCII without > ? ~, which is all that the shapes take, has
// the same spelling in base64; atob is this engine's fastest way.
function claimsIn(shape, payload) {
  try {
    const match = shape.exec(atob(payload));
    return match !== null && match[0].length * 4 === payload.length * 3 ? match : null;
  } catch (error) {
    return null;
  }
}

// No clock of ours is a minute ahead of another.
export function fromTheFuture(iat, now) {
  return +iat > now + 60;
}

// A first token. No claim can hold a character that JSON would escape.
export function issued(rules, text, claims, boff) {
  const said = `{"lvl":0,"exp":${boff + rules[LIFE_S]},"boff":${boff},"iat":${claims.iat},"lot":"${claims.lot}",` +
    `"ch":"${claims.ch}","id":"${claims.id}","pow":${claims.pow},"h":${claims.h},"evt":"${claims.evt}","sub":"${claims.sub}"`;
  return signed(rules, text, Buffer.from(said + ['  }', ' }', '}'][said.length % 3]).toString('base64url'));
}

// The same place with a new time to come back; all else as it was, byte for byte: `exp` and `boff`
// are the bytes 15 to 44 of the claims.
export function postponed(rules, text, token, boff) {
  const at = token.indexOf('.') + 1;
  return signed(rules, text, token.slice(at, at + 20) + btoa((boff + rules[LIFE_S]) + ',"boff":' + boff + ',"') +
    token.slice(at + 60, -TAIL_CHARS));
}

function signed(rules, text, payload) {
  const covered = TOKEN_START + rules[TOKEN_HEAD] + payload;
  return covered + '.' + signature(keyOf(text, TOKEN_HEAD), covered);
}
