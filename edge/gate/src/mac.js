// HMAC-SHA256 under keys written as base64url, and comparison in constant time.

import crypto from 'crypto';

function keyed(key, data) {
  return crypto.createHmac('sha256', Buffer.from(key, 'base64url')).update(data);
}

export function mac(key, data) {
  return keyed(key, data).digest();
}

// The whole digest as text: 43 characters.
export function signature(key, data) {
  return keyed(key, data).digest('base64url');
}

export function base64url(bytes) {
  return bytes.toString('base64url');
}

// The first 16 bytes: 22 characters.
export function short(digest) {
  return base64url(digest.slice(0, 16));
}

// Two digests of 32 bytes: always the same six steps of six bytes, whatever differs.
function sameDigest(a, b) {
  let difference = a.readUIntBE(26, 6) !== b.readUIntBE(26, 6);
  for (let i = 0; i < 30; i += 6) {
    difference |= a.readUIntBE(i, 6) !== b.readUIntBE(i, 6);
  }
  return !difference;
}

// Whether the text is this digest, in its one spelling.
export function spells(text, digest) {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 32 && base64url(bytes) === text && sameDigest(bytes, digest);
}

// The match of the whole text, or null: `$` alone would let a trailing line feed pass in this engine.
export function matched(shape, text) {
  const match = typeof text === 'string' ? shape.exec(text) : null;
  return match !== null && match[0].length === text.length ? match : null;
}
