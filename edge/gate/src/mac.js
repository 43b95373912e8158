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

// Room for two texts of 48 bytes: a view of bytes costs this engine as much as the comparison.
const room = Buffer.alloc(96);
const words = new Float64Array(room.buffer, room.byteOffset, 12);

// Whether `given` is `made`, a signature behind a point: six words of eight bytes with four of ours in front, all
// compared whatever differs. Of `given` as many bytes count as of `made`; 44 that are ASCII are all of 44
// characters, and ASCII is never NaN.
export function same(given, made) {
  if (given.length !== 44) {
    return false;
  }
  room.write('....'.concat(made, '....', given));
  // biome-ignore format: six like comparisons are read at a glance in two lines
  return ((words[0] !== words[6]) | (words[1] !== words[7]) | (words[2] !== words[8]) |
    (words[3] !== words[9]) | (words[4] !== words[10]) | (words[5] !== words[11])) === 0;
}

// The same of 24 characters.
export function sameSeal(given, made) {
  room.write(made + given);
  return ((words[0] !== words[3]) | (words[1] !== words[4]) | (words[2] !== words[5])) === 0;
}
