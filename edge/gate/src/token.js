// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { LIFE_S } from './gate.js';
import { hmac, same, signature } from './mac.js';

const TAIL_CHARS = 44; // the point and the signature
export const BEARER_CHARS_MAX = 2055; // with the scheme
const TOKEN_CHARS_MAX = 1024;
const SCHEME = 'Bearer ';
export const NO_AUTH = 'no-auth';
export const BAD_AUTH = 'bad-auth';
const SCHEME_CHARS = 7;
export const AHEAD_S = 60; // no clock of ours is this much ahead of another
// The scheme and the header `{"typ":"JWT","alg":"HS256","kid":`, and WR likewise. The rest, from the key id to the
// point, stands in the gate's rules as a head.
export const SIGNED_IN = 'Bearer eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6';
const TOKEN_START = 'eyJ0eXAiOiJXUiIsImFsZyI6IkhTMjU2Iiwia2lkIjoi';
// A payload is exactly its claims in their order, each in one spelling, with blanks before the last
// brace up to a multiple of three bytes: nothing is left to how a parser treats a repeated name, an
// unknown escape or a number with leading zeros, nor to how a decoder treats odd bits. Literals on one
// line, because whatever is joined while it runs is compiled at every request.
const CALLER_SHAPE =
  /^\{"sub":"([A-Za-z0-9][\w.:|@-]{0,127})","iat":([1-9]\d{9}),"exp":([1-9]\d{9})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])? {0,2}\}$/;
const PLACE_SHAPE =
  /^\{"exp":([1-9]\d{9}),"boff":([1-9]\d{9}),"lvl":[01],"iat":([1-9]\d{9}),"lot":"([\w-]{21}[AQgw])","ch":"([\w-]{21}[AQgw])","id":"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{4}([0-9a-f]{8})","pow":(\d|[12]\d|3[0-2]),"h":(0|[1-9]\d{0,20}),"evt":"([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)","sub":"([A-Za-z0-9][\w.:|@-]{0,127})" {0,2}\}$/;

// Where they find what.
export const PAYLOAD = 0;
export const CALLER = 1;
export const CALLER_IAT = 2;
export const CALLER_EXP = 3;
export const EXP = 1;
export const BOFF = 2;
export const IAT = 3;
export const LOT = 4;
export const CH = 5;
export const DIGITS = 6; // the last eight of the id
export const POW = 7;
export const H = 8;
export const EVT = 9;
export const SUB = 10;

// The Authorization header in the one spelling of its scheme where it may be a sign-in of ours and so is worth a
// read of the store and a hash; any other spelling of the scheme counts too (RFC 9110, section 11.1). Else what
// it lacks.
export function bearerOf(value) {
  if (value.slice(0, SCHEME_CHARS).toLowerCase() !== 'bearer ') {
    return NO_AUTH;
  }
  value = SCHEME + value.slice(SCHEME_CHARS);
  return value.startsWith(SIGNED_IN) && value.length <= BEARER_CHARS_MAX ? value : BAD_AUTH;
}

// The match of CALLER_SHAPE, or null.
export function callerOf(bearer, head, key) {
  return claimsOf(bearer.slice(SCHEME_CHARS), SIGNED_IN.slice(SCHEME_CHARS) + head, key, CALLER_SHAPE);
}

// The match of PLACE_SHAPE, or null.
export function placeOf(token, head, key) {
  return token.length > TOKEN_CHARS_MAX ? null : claimsOf(token, TOKEN_START + head, key, PLACE_SHAPE);
}

// The match of the whole payload, or null: three bytes for every four characters, so nothing is
// padded, left over or behind the match. ASCII without > ? ~, which is all that the shapes take, has
// the same spelling in base64; atob is this engine's fastest way. In place of all that matched it has the
// payload as it came.
function claimsOf(token, start, key, shape) {
  if (!token.startsWith(start) || !same(token.slice(-TAIL_CHARS), '.' + signature(key, token.slice(0, -TAIL_CHARS)))) {
    return null;
  }
  try {
    var payload = token.slice(start.length, -TAIL_CHARS),
      match = shape.exec(atob(payload));
    if (match[0].length * 4 !== payload.length * 3) {
      return null;
    }
    match[PAYLOAD] = payload;
    return match;
  } catch (error) {
    return null;
  }
}

// A first token of these claims, which lack the last brace. None can hold a character that JSON would escape.
export function issued(head, key, claims) {
  var covered = TOKEN_START + head + Buffer.from(claims + ['  }', ' }', '}'][claims.length % 3]).toString('base64url');
  return covered + '.' + signature(key, covered);
}

// The same place with a new time to come back; all else as it was, byte for byte: `exp` and `boff`
// are the first 36 bytes of the claims, 48 characters.
export function postponed(rules, head, key, payload, boff) {
  var covered =
    TOKEN_START + head + btoa('{"exp":' + (boff + rules[LIFE_S]) + ',"boff":' + boff + ',') + payload.slice(48);
  return covered + '.' + signature(key, covered);
}

// A slip is what the gate has once checked itself of a sign-in and a place, which are named by the ends of
// their signatures: a caller who shows these holds both. Ten digits of `boff`, ten of the last second of its use,
// then what the moment of admission is computed from: the id's last eight, the ticket, h.
export const SEAL_CHARS = 24;
export const SLIP_CHARS_MIN = 74; // with an h of one digit it has one more
export const SLIP_UNTIL = 10;
export const SLIP_DIGITS = 20;
export const SLIP_LOT = 28;
export const SLIP_H = 50;

// What a genuine slip says, or ''. Compared whole, whatever differs; what is made stands first, because 24
// characters of a stranger may be more bytes than 24. A gate of before sealed these in another order, with
// `until` first: no slip of one is one of the other.
export function slipOf(slip, key, ends) {
  var says = slip.slice(0, -SEAL_CHARS),
    bytes = Buffer.from(
      hmac('sha256', key)
        .update(ends + says)
        .digest('base64url')
        .slice(0, SEAL_CHARS) + slip.slice(-SEAL_CHARS)
    ),
    n = new Float64Array(bytes.buffer, bytes.byteOffset, 6);
  return ((n[0] !== n[3]) | (n[1] !== n[4]) | (n[2] !== n[5])) === 0 && ends.length === 48 ? says : '';
}
