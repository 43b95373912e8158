// HMAC-SHA256, and comparison in constant time.

import crypto from 'crypto';

export const hmac = crypto.createHmac;

export function mac(key, data) {
  return hmac('sha256', key).update(data).digest();
}

// The whole digest as text: 43 characters.
export function signature(key, data) {
  return hmac('sha256', key).update(data).digest('base64url');
}

// The first 16 bytes: 22 characters.
export function short(digest) {
  return digest.toString('base64url', 0, 16);
}

// Whether `given` is `made`, which is a signature behind a point: eleven words of four bytes, all compared
// whatever differs. 44 characters whose first 44 bytes are ASCII have no more. An engine may keep small
// buffers in one piece of memory, hence the offset.
export function same(given, made) {
  if (given.length !== 44) {
    return false;
  }
  var bytes = Buffer.from(made + given);
  var n = new Int32Array(bytes.buffer, bytes.byteOffset, 22);
  // biome-ignore format: eleven like comparisons are read at a glance in two lines
  return ((n[0] ^ n[11]) | (n[1] ^ n[12]) | (n[2] ^ n[13]) | (n[3] ^ n[14]) | (n[4] ^ n[15]) | (n[5] ^ n[16]) |
    (n[6] ^ n[17]) | (n[7] ^ n[18]) | (n[8] ^ n[19]) | (n[9] ^ n[20]) | (n[10] ^ n[21])) === 0;
}
