import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { digestBlock, layOut, leadingZeroBits, search } from '../assets/js/sha256.js';

/** Digests a text of one block, as hexadecimal digits. */
function sha256Hex(text) {
  const block = new Int32Array(16);
  const out = new Int32Array(8);
  layOut(text, block);
  digestBlock(block, out);
  return Array.from(out, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

const reference = (text) => createHash('sha256').update(text).digest('hex');

test('digests agree with the platform for every length that fits one block', () => {
  for (let n = 0; n <= 55; n++) {
    const text = 'q'.repeat(n);
    assert.equal(sha256Hex(text), reference(text), `length ${n}`);
  }
  assert.throws(() => sha256Hex('q'.repeat(56)), RangeError);
});

test('leading zero bits are counted across words', () => {
  assert.equal(leadingZeroBits([0x00ffffff]), 8);
  assert.equal(leadingZeroBits([0, 1]), 63);
  assert.equal(leadingZeroBits([-1]), 0);
});

test('a nonce that search returns solves the challenge, and none before it does', () => {
  const challenge = 'AAECAwQFBgcICQoLDA0ODw';
  const nonce = search(challenge, 12, 0, 100000);
  const solves = (n) => parseInt(reference(`${challenge}:${n}`).slice(0, 8), 16) >>> 20 === 0;
  assert.match(nonce, /^[0-9]{1,16}$/);
  assert.ok(solves(nonce));
  for (let n = 0; n < Number(nonce); n++) assert.ok(!solves(n));
  assert.equal(search(challenge, 32, 0, 10), null);
});
