// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { HEAD_CHARS, KEY_CHARS, LIFE_S, PAIR_CHARS, rules } from './gate.js';
import { hmac, same, sameSeal, signature } from './mac.js';

const TAIL_CHARS = 44; // the point and the signature
export const BEARER_CHARS_MAX = 2055; // with the scheme
export const TOKEN_CHARS_MAX = 1024;
export const NO_AUTH = 'no-auth';
export const BAD_AUTH = 'bad-auth';
export const SCHEME_CHARS = 7;
export const AHEAD_S = 60; // no clock of ours is this much ahead of another
// The header `{"typ":"JWT","alg":"HS256","kid":`, and WR likewise. The rest, from the key id to the
// point, stands in the gate's rules as a head.
export const CALLER_START = 'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6';
export const TOKEN_START = 'eyJ0eXAiOiJXUiIsImFsZyI6IkhTMjU2Iiwia2lkIjoi';
// The claims of a caller, and behind them those of a place, if there is one. A payload is exactly its claims in
// their order, each in one spelling, with blanks before the last brace up to a multiple of three bytes: nothing is
// left to how a parser treats a repeated name, an unknown escape or a number with leading zeros, nor to how a
// decoder treats odd bits. A literal on one line, because whatever is joined while it runs is compiled at every
// request; one for both, because each match costs as much as thirty claims.
const SHAPE =
  /^(\{"sub":"([A-Za-z\d][\w.:|@-]{0,127})","iat":([1-9]\d{9}),"exp":([1-9]\d{9})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])? {0,2}\})(?:\{"exp":([1-9]\d{9}),"boff":([1-9]\d{9}),"lvl":[01],"iat":([1-9]\d{9}),"lot":"([\w-]{21}[AQgw])","ch":"([\w-]{21}[AQgw])","id":"[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{4}([\da-f]{8})","pow":([12]?\d|3[0-2]),"h":(0|[1-9]\d{0,20}),"evt":"([a-z\d](?:[a-z\d-]{0,38}[a-z\d])?)","sub":"([A-Za-z\d][\w.:|@-]{0,127})" {0,2}\})?$/;

// Where it finds what.
export const PLACE = 0; // the place's payload as it came
const CALLER_PART = 1;
export const CALLER = 2;
export const CALLER_IAT = 3;
export const CALLER_EXP = 4;
export const EXP = 5;
export const BOFF = 6;
export const IAT = 7;
export const LOT = 8;
export const CH = 9;
export const DIGITS = 10; // the last eight of the id
export const POW = 11;
export const H = 12;
export const EVT = 13;
export const SUB = 14;

// The payload of a token that `key` signed, else ''. It stands from `from` on, and begins with `start`.
function signedBy(key, token, from, start) {
  if (token.startsWith(start, from)) {
    var payload = token.slice(from + start.length, -TAIL_CHARS);
    if (same(token.slice(-TAIL_CHARS), '.' + hmac('sha256', key).update(start).update(payload).digest('base64url'))) {
      return payload;
    }
  }
  return '';
}

// The same by the newest key, whose head stands at `head` and it itself at `key` in the event's value, or else by the
// older one, whose head is blank where there is none: every token begins with ''.
export function payloadOf(token, from, start, text, head, end, key, older) {
  var payload = signedBy(text.slice(key, key + KEY_CHARS), token, from, start + text.slice(head, end));
  if (payload === '') {
    head = text.slice(older, older + HEAD_CHARS).trim();
    if (head !== '') {
      payload = signedBy(text.slice(older + HEAD_CHARS, older + PAIR_CHARS), token, from, start + head);
    }
  }
  return payload;
}

// What SHAPE finds in both payloads, or null: three bytes for every four characters of each, so nothing is padded,
// left over or behind the match, and neither payload ends in the other. ASCII without > ? ~, which is all that
// the shape takes, has the same spelling in base64; atob is this engine's fastest way.
export function claimsOf(caller, place) {
  try {
    var match = SHAPE.exec(atob(caller + place));
    if (match[CALLER_PART].length * 4 !== caller.length * 3 || match[0].length * 4 !== (caller + place).length * 3) {
      return null;
    }
    match[PLACE] = place;
    return match;
  } catch (error) {
    return null;
  }
}

// A token with this payload.
function signed(head, key, payload) {
  payload = TOKEN_START.concat(head, payload);
  return payload + '.' + signature(key, payload);
}

// A first token of these claims, which lack the last brace. None can hold a character that JSON would escape.
export function issued(head, key, claims) {
  var over = claims.length % 3;
  return signed(head, key, btoa(claims + (over > 1 ? '}' : over ? ' }' : '  }')));
}

// The same place with a new time to come back; all else as it was, byte for byte: `exp` and `boff`
// are the first 36 bytes of the claims, 48 characters.
export function postponed(head, key, payload, boff) {
  return signed(head, key, btoa('{"exp":'.concat(boff + rules[LIFE_S], ',"boff":', boff, ',')) + payload.slice(48));
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

export function seal(key, ends, says) {
  return signature(key, ends + says).slice(0, SEAL_CHARS);
}

// What a genuine slip says, or ''. Compared whole, whatever differs; what is made stands first, because 24
// characters of a stranger may be more bytes than 24. A gate of before sealed these in another order, with
// `until` first: no slip of one is one of the other.
export function slipOf(slip, key, ends) {
  var says = slip.slice(0, -SEAL_CHARS);
  return sameSeal(slip.slice(-SEAL_CHARS), seal(key, ends, says)) && ends.length === 48 ? says : '';
}
