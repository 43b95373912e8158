import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crowdOf } from '../js/crowd.js';

const CROWD = { state: 'running', buyers: 1300, arrived: 1120, tickets: 14, gone: 0 };

test('a crowd is said as it is', () => {
  assert.equal(crowdOf(CROWD), '1,120 of 1,300 simulated buyers have arrived, 14 have tickets.');
  const over = { ...CROWD, state: 'ended', gone: 3 };
  assert.equal(
    crowdOf(over),
    '1,120 of 1,300 simulated buyers have arrived, 14 have tickets, 3 left without. All have gone.'
  );
});

test('a crowd that nobody has brought yet is no crowd of 0', () => {
  assert.match(crowdOf({ ...CROWD, state: 'asked' }), /1,300 simulated buyers are asked for, and none has arrived yet/);
});
