import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

class Storage {
  kept = new Map();
  full = false;
  getItem = (key) => this.kept.get(key) ?? null;
  removeItem = (key) => this.kept.delete(key);
  setItem(key, text) {
    if (this.full) throw new Error('QuotaExceededError');
    this.kept.set(key, text);
  }
}

let device;
let tab;
beforeEach(async () => {
  globalThis.window = { localStorage: new Storage(), sessionStorage: new Storage() };
  ({ device, tab } = await import(`../assets/js/store.js?${Math.random()}`)); // a page of its own
});

test('a value is kept, each kind for itself', () => {
  device.set('sub', 'ann');
  assert.deepEqual([device.get('sub'), tab.get('sub')], ['ann', null]);
  device.set('sub', null);
  assert.equal(device.get('sub'), null);
});

test('what another window took away is gone', () => {
  device.set('place', { token: 'wt-1' });
  globalThis.window.localStorage.removeItem('fairgate:place');
  assert.equal(device.get('place'), null);
});

test('the newest counts where the storage is full, and until it is not', () => {
  device.set('place', 'old');
  globalThis.window.localStorage.full = true;
  device.set('place', 'new');
  assert.equal(device.get('place'), 'new');
  globalThis.window.localStorage.full = false;
  device.set('place', 'newest');
  globalThis.window.localStorage.setItem('fairgate:place', '"of another window"');
  assert.equal(device.get('place'), 'of another window');
});

test('a page remembers where storing is forbidden', () => {
  Object.defineProperty(globalThis.window, 'localStorage', {
    get() {
      throw new Error('SecurityError');
    }
  });
  device.set('place', 'mine');
  assert.equal(device.get('place'), 'mine');
  device.set('place', null);
  assert.equal(device.get('place'), null);
});

test('what cannot be read is nothing', () => {
  globalThis.window.localStorage.setItem('fairgate:place', 'undefined');
  assert.equal(device.get('place'), null);
});
