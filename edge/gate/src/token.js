// JWS compact with HS256. The verifier is chosen here, never by the token; the signature is
// checked over the bytes received, and nothing is serialised again to verify.

import { base64url, mac, matched, signature, spells } from './mac.js';

const SIGNATURE_CHARS = 43;
// A payload is exactly its claims in their order, each in one spelling: nothing is left to how a
// parser treats a repeated name, an unknown escape or a number with leading zeros. Literals on one
// line, because whatever is joined while it runs is compiled at every request.
const AUTH = /^\{"sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})","iat":(0|[1-9][0-9]{0,10}),"exp":(0|[1-9][0-9]{0,10})(?:,"grp":\["[a-z-]{1,32}"(?:,"[a-z-]{1,32}")*\])?\}$/;
const PLACE = /^(\{"id":"([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})","evt":"([a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)","sub":"([A-Za-z0-9][A-Za-z0-9._:|@-]{0,127})","iat":(0|[1-9][0-9]{0,10}),"exp":)(0|[1-9][0-9]{0,10})(,"h":((?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,25})?(?:e-[0-9]{1,2})?),"lot":"([A-Za-z0-9_-]{21}[AQgw])","ch":"([A-Za-z0-9_-]{21}[AQgw])","pow":([0-9]|[12][0-9]|3[0-2]),"boff":)(0|[1-9][0-9]{0,10})(,"lvl":[01]\})$/;

// Where PLACE finds what; between the claims that move lie the parts that never change.
const HEAD = 1;
export const ID = 2;
export const EVT = 3;
export const SUB = 4;
export const IAT = 5;
export const EXP = 6;
const MIDDLE = 7;
export const H = 8;
export const LOT = 9;
export const CH = 10;
export const POW = 11;
export const BOFF = 12;
const TAIL = 13;

// The header with its point: `{"typ":"JWT","alg":"HS256","kid":"<kid>"}`, and WR likewise. All but
// the key id is the same at every request, so it stands here in base64url.
function header(typ, kid) {
  return typ === 'WR' ? 'eyJ0eXAiOiJXUiIsImFsZyI6IkhTMjU2Iiwia2lkIjoi' + base64url(Buffer.from(kid + '"}')) + '.' :
    'eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6' + base64url(Buffer.from('"' + kid + '"}')) + '.';
}

// The match of the payload, or null: bad shape, unknown key or bad signature.
function verified(typ, shape, text, keys, charsMax) {
  if (typeof text !== 'string' || text.length > charsMax) {
    return null;
  }
  const end = text.length - SIGNATURE_CHARS;
  const kids = Object.keys(keys);
  for (let i = kids.length - 1; i >= 0; i--) { // the newest key is the last
    const head = header(typ, kids[i]);
    if (text.startsWith(head) && text[end - 1] === '.') {
      const covered = text.slice(0, end - 1);
      const payload = covered.slice(head.length);
      return spells(text.slice(end), mac(keys[kids[i]], covered)) ? shaped(shape, payload) : null;
    }
  }
  return null;
}

// One spelling for one payload: bits that no byte holds are refused, too. ASCII without > ? ~, which
// is all that the shapes take, has the same spelling in base64; atob is this engine's fastest way.
function shaped(shape, payload) {
  const over = payload.length % 4;
  const last = payload[payload.length - 1];
  const whole = over === 0 && last !== '=' || over === 2 && 'AQgw'.includes(last) || over === 3 && 'AEIMQUYcgkosw048'.includes(last);
  try {
    return whole ? matched(shape, atob(payload + '===='.slice(over || 4))) : null;
  } catch (error) {
    return null;
  }
}

// No clock of ours is a minute ahead of another.
export function fromTheFuture(iat, now) {
  return Number(iat) > now + 60;
}

// Who is calling, or null. `value` is the Authorization header.
export function caller(value, keys, now) {
  const claims = verified('JWT', AUTH, value.slice(7), keys, 2048);
  return claims !== null && !fromTheFuture(claims[2], now) && Number(claims[3]) > now ? claims[1] : null;
}

// The waiting token's claims as text, or null. Expiry is the caller's question.
export function placeOf(text, keys) {
  return verified('WR', PLACE, text, keys, 1024);
}

// A first token. No claim can hold a character that JSON would escape.
export function issued(gate, claims, boff) {
  return signed(gate, `{"id":"${claims.id}","evt":"${claims.evt}","sub":"${claims.sub}","iat":${claims.iat},"exp":`,
    `,"h":${claims.h},"lot":"${claims.lot}","ch":"${claims.ch}","pow":${claims.pow},"boff":`, ',"lvl":0}', boff);
}

// The same place with a new time to come back; all else as it was, byte for byte.
export function postponed(gate, place, boff) {
  return signed(gate, place[HEAD], place[MIDDLE], place[TAIL], boff);
}

function signed(gate, head, middle, tail, boff) {
  const payload = `${head}${boff + gate.x}${middle}${boff}${tail}`;
  const text = header('WR', gate.tc) + base64url(Buffer.from(payload));
  return `${text}.${signature(gate.t[gate.tc], text)}`;
}
