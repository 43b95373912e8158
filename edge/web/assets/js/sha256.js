// SHA-256 of short messages, for the proof of work. One block, 55 bytes at most: WebCrypto's
// promise per digest costs more than the digest. Source: FIPS 180-4, section 6.2.

const K = new Int32Array(64);
const H0 = new Int32Array(8);

// The constants are the fractional parts of roots of the first primes (section 4.2.2, 5.3.3).
for (let n = 2, count = 0; count < 64; n++) {
  let prime = true;
  for (let d = 2; d * d <= n; d++)
    if (n % d === 0) {
      prime = false;
      break;
    }
  if (!prime) continue;
  if (count < 8) H0[count] = (n ** (1 / 2) % 1) * 2 ** 32;
  K[count++] = (n ** (1 / 3) % 1) * 2 ** 32;
}

const W = new Int32Array(64);

/** Digests the 16 big-endian words in `block`, padding included, into `out` (8 words). */
export function digestBlock(block, out) {
  for (let i = 0; i < 16; i++) W[i] = block[i];
  for (let i = 16; i < 64; i++) {
    const a = W[i - 15];
    const b = W[i - 2];
    const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
    const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
    W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = H0;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  out[0] = H0[0] + a;
  out[1] = H0[1] + b;
  out[2] = H0[2] + c;
  out[3] = H0[3] + d;
  out[4] = H0[4] + e;
  out[5] = H0[5] + f;
  out[6] = H0[6] + g;
  out[7] = H0[7] + h;
}

/** Writes an ASCII text of at most 55 characters with its padding into `block`. */
export function layOut(text, block) {
  if (text.length > 55) throw new RangeError('one block holds 55 characters');
  block.fill(0);
  for (let i = 0; i < text.length; i++) block[i >> 2] |= text.charCodeAt(i) << (24 - 8 * (i & 3));
  block[text.length >> 2] |= 0x80 << (24 - 8 * (text.length & 3));
  block[15] = text.length * 8;
}

/** Counts the zero bits before the first one, across 32-bit words. */
export function leadingZeroBits(words) {
  let bits = 0;
  for (const word of words) {
    if (word !== 0) return bits + Math.clz32(word);
    bits += 32;
  }
  return bits;
}

/** Finds the first nonce from `from` with enough leading zero bits, or null after `count` tries. */
export function search(challenge, bits, from, count) {
  const block = new Int32Array(16);
  const out = new Int32Array(8);
  for (let nonce = from; nonce < from + count; nonce++) {
    layOut(challenge + ':' + nonce, block);
    digestBlock(block, out);
    if (leadingZeroBits(out) >= bits) return String(nonce);
  }
  return null;
}
