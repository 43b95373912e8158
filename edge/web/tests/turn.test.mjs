import assert from 'node:assert/strict';
import test from 'node:test';

import './english.mjs';
import { inTurn } from '../assets/js/turn.js';

const problem = (code) => Object.assign(new Error(code), { code });

function asking(...answers) {
  const waits = [];
  const ask = async () => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  return { waits, outcome: inTurn(ask, async (error) => waits.push(error.code)).catch((error) => error.code) };
}

test('who is told to wait is asked for again, until the turn has come', async () => {
  const { waits, outcome } = asking(problem('payment-waits'), problem('payment-waits'), 'page');
  assert.equal(await outcome, 'page');
  assert.deepEqual(waits, ['payment-waits', 'payment-waits']);
});

test('any other refusal is told at once', async () => {
  const { waits, outcome } = asking(problem('hold-expired'), 'page');
  assert.equal(await outcome, 'hold-expired');
  assert.deepEqual(waits, []);
});

test('the waiting ends with the page', async () => {
  const away = () => Promise.reject(problem('left'));
  const ended = inTurn(() => Promise.reject(problem('payment-waits')), away).catch((error) => error.code);
  assert.equal(await ended, 'left');
});
