import assert from 'node:assert/strict';
import { test } from 'node:test';

import './english.mjs';
import { between, boxOf, Camera } from '../assets/js/map/camera.js';
import { Grid } from '../assets/js/map/grid.js';
import { HotPlaces } from '../assets/js/map/hot.js';
import { nearestFree } from '../assets/js/map/nearest.js';
import { focusName, placesOfVenue, priceText } from '../assets/js/map/places.js';
import { CHOSEN, Scene, TAKEN, unpackStatuses } from '../assets/js/map/scene.js';
import { rankedTiers } from '../assets/js/map/tiers.js';
import { targetAt } from '../assets/js/map/targets.js';
import { step } from '../assets/js/map/walk.js';
import { inside } from '../assets/js/outline.js';

const EVENT = {
  tiers: [
    { id: 'rear', name: 'Rear', whole_minor: 4500 },
    { id: 'front', name: 'Front', whole_minor: 9000 }
  ]
};

/** A section of `rows` × `seats`, turned by `degrees`, as venue.json and seats.json tell of it. */
function section(id, { rows = 3, seats = 4, degrees = 0, x = 0, y = 0 } = {}) {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const at = Array.from({ length: rows * seats }, (_, i) => {
    const [along, across] = [(i % seats) * 20, Math.floor(i / seats) * 24];
    return [x + along * c - across * s, y + along * s + across * c];
  });
  const steps = (values) => values.map((value, i) => Math.round(value * 100) - (i && Math.round(values[i - 1] * 100)));
  const box = boxOf(at);
  const outline = [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x1, box.y1],
    [box.x0, box.y1]
  ];
  const picture = {
    id,
    x: steps(at.map((p) => p[0])),
    y: steps(at.map((p) => p[1])),
    rows: Array.from({ length: rows }, (_, r) => [String.fromCharCode(65 + r), seats]).flat(),
    tiers: [1, seats, 0, seats * (rows - 1)],
    marks: { accessible: [0] }
  };
  return { shown: { id, name: id, seats: rows * seats, tiers: ['rear', 'front'], outline }, picture };
}

function sceneOf(...made) {
  const venue = { tiers: [{ id: 'rear' }, { id: 'front' }], sections: made.map((one) => one.shown) };
  const tiers = rankedTiers(EVENT);
  return new Scene(
    venue,
    made.map((one) => one.picture),
    tiers
  );
}

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 0.01, `${actual}, not ${expected}`);

test('what is fitted is seen whole, in the middle', () => {
  const camera = Object.assign(new Camera(), { width: 400, height: 200, margin: 10 });
  camera.view = camera.fitted({ x0: 100, y0: 100, x1: 300, y1: 500 });
  near(camera.scale, 180 / 400);
  const [from, to] = [camera.toScreen(100, 100), camera.toScreen(300, 500)];
  near(from.y, 10);
  near(to.y, 190);
  near((from.x + to.x) / 2, 200);
});

test('zooming leaves the point under the finger where it is, within bounds', () => {
  const camera = Object.assign(new Camera(), {
    width: 400,
    height: 300,
    home: boxOf([
      [0, 0],
      [1000, 1000]
    ])
  });
  camera.view = camera.fitted(camera.home);
  const finger = { x: 150, y: 120 };
  const before = camera.toDrawing(finger.x, finger.y);
  camera.view = camera.zoomed(3, finger);
  near(camera.toDrawing(finger.x, finger.y).x, before.x);
  near(camera.toDrawing(finger.x, finger.y).y, before.y);
  camera.view = camera.zoomed(1e6, finger);
  near(camera.scale, camera.scaleMax);
  camera.view = camera.zoomed(1e-6, finger);
  assert.ok(camera.scale < camera.homeScale && camera.scale > camera.homeScale / 2);
});

test('a flight keeps the one point that both views have at the same place', () => {
  const a = { scale: 1, x: 10, y: 20 };
  const b = { scale: 4, x: -290, y: -580 };
  const fixed = { x: (b.x - a.x) / (a.scale - b.scale), y: (b.y - a.y) / (a.scale - b.scale) };
  for (const t of [0, 0.3, 0.8, 1]) {
    const view = between(a, b, t);
    near(fixed.x * view.scale + view.x, fixed.x * a.scale + a.x);
    near(fixed.y * view.scale + view.y, fixed.y * a.scale + a.y);
  }
});

test('a seat near the edge is brought in by the least movement', () => {
  const camera = Object.assign(new Camera(), { width: 300, height: 300, scale: 1, x: 0, y: 0 });
  assert.deepEqual(camera.reaching(150, 150, 40), { scale: 1, x: 0, y: 0 });
  assert.deepEqual(camera.reaching(290, 150, 40), { scale: 1, x: -30, y: 0 });
  assert.deepEqual(camera.reaching(150, 100, 40, { top: 90 }), { scale: 1, x: 0, y: 30 });
  assert.deepEqual(camera.reaching(150, 250, 40, { bottom: 90 }), { scale: 1, x: 0, y: -80 });
});

test('the grid finds what a look at every point finds', () => {
  let seed = 7;
  const next = () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32;
  const xs = Float32Array.from({ length: 3000 }, () => next() * 900);
  const ys = Float32Array.from({ length: 3000 }, () => next() * 400);
  const grid = new Grid(xs, ys);
  for (let n = 0; n < 200; n++) {
    const [x, y] = [next() * 1000 - 50, next() * 500 - 50];
    const away = Array.from(xs, (_, i) => Math.hypot(xs[i] - x, ys[i] - y));
    const least = Math.min(...away);
    assert.equal(grid.nearest(x, y, 30), least <= 30 ? away.indexOf(least) : -1);
  }
});

test('all seats of the file are in the scene: where, of which row and price, how turned', () => {
  const scene = sceneOf(section('A'), section('B', { degrees: 30, x: 500 }));
  assert.equal(scene.count, 24);
  near(scene.x[13] - scene.x[12], 20 * Math.cos(Math.PI / 6));
  near(scene.cell[3 * 13], Math.PI / 6);
  assert.deepEqual(
    scene.rows.map((row) => row.name),
    ['A', 'B', 'C', 'A', 'B', 'C']
  );
  assert.deepEqual([scene.tier[0], scene.tier[4]], [1, 0]);
  near(scene.byId.get('B').depth, 24);
  assert.throws(() => sceneOf(section('A'), { ...section('B'), picture: section('C').picture }), RangeError);
});

test('what is left of a price follows the seats that others take, and the filter', () => {
  const scene = sceneOf(section('A'));
  const [a] = scene.sections;
  const left = () => scene.offers(a).map(({ tier, free }) => [tier.id, free]);
  assert.deepEqual(left(), [
    ['rear', 8],
    ['front', 4]
  ]);
  assert.ok(
    scene.change(a, [
      [0, 2],
      [1, 3],
      [2, 1]
    ])
  );
  assert.ok(!scene.change(a, [[0, 1]]), 'another code for the same is no news');
  assert.deepEqual(left()[1], ['front', 1]);
  assert.equal(scene.looks[2], 2);
  scene.change(a, [[3, 2]]);
  assert.equal(scene.looks[2], 0, 'nothing of the band is left');
  scene.filter(new Set(['rear']), false);
  assert.deepEqual(left(), [['front', 0]]);
  assert.equal(scene.looks[4 * 5 + 1], TAKEN, 'a seat that the filter hides turns grey');
  scene.filter(new Set(), true);
  assert.equal(scene.looks[4 * 5 + 1], TAKEN, 'only seats for wheelchairs are shown');
});

test('own seats are own, whatever the filter and the service say, until they are given back', () => {
  const scene = sceneOf(section('A'));
  scene.setOwn(new Map([[5, CHOSEN]]));
  scene.change(scene.sections[0], [[5, 1]]);
  scene.filter(new Set(['rear']), false);
  assert.equal(scene.looks[4 * 5 + 1], CHOSEN);
  scene.setOwn(new Map());
  assert.equal(scene.state[5], TAKEN);
});

test('only what changed is uploaded', () => {
  const scene = sceneOf(section('A', { rows: 30, seats: 30 }));
  scene.takeDirty();
  scene.change(scene.sections[0], [
    [40, 1],
    [44, 1]
  ]);
  assert.deepEqual(scene.takeDirty(), { from: 40, to: 45 });
  assert.equal(scene.takeDirty(), null);
});

test('status.bin has two bits a seat, and each section begins at a whole byte', () => {
  const sections = [
    { from: 0, to: 5 },
    { from: 5, to: 7 }
  ];
  const codes = unpackStatuses(sections, Uint8Array.of(0b11_10_01_00, 0b10, 0b01_11));
  assert.deepEqual(
    codes.map((each) => [...each]),
    [
      [0, 1, 2, 3, 2],
      [3, 1]
    ]
  );
});

const RIGHT = [1, 0];
const DOWN = [0, 1];

for (const degrees of [0, 30, -40, 60, 90, 180]) {
  test(`the arrows reach every seat of a section that is turned by ${degrees} degrees, one by one`, () => {
    const scene = sceneOf(section('A', { rows: 4, seats: 5, degrees }));
    const arrows = [RIGHT, [-1, 0], DOWN, [0, -1]];
    const reached = new Set([0]);
    for (const i of reached) for (const arrow of arrows) reached.add(step(scene, i, arrow));
    assert.equal(reached.size, 20);
    for (let i = 0; i < 20; i++) {
      for (const [dx, dy] of arrows) {
        const j = step(scene, i, [dx, dy]);
        if (j === i) continue;
        const [x, y] = [scene.x[j] - scene.x[i], scene.y[j] - scene.y[i]];
        assert.ok(x * dx + y * dy > 0, `${i} to ${j} is not where the arrow points`);
        assert.ok(Math.hypot(x, y) < 25, `${i} to ${j} leaves a seat out`);
      }
    }
  });
}

test('the arrow goes on across an aisle into the next section', () => {
  const scene = sceneOf(section('A'), section('B', { x: 110 }));
  assert.equal(step(scene, 3, RIGHT), 12);
  assert.equal(step(scene, 12, [-1, 0]), 3);
});

test('a finger takes what it is in, the nearest thing beside it, or all that it cannot tell apart', () => {
  const venue = {
    sections: [section('A').shown, section('B', { x: 70 }).shown, section('C', { x: 600 }).shown],
    areas: []
  };
  const places = placesOfVenue(venue);
  const ids = (scale, x, y) => {
    const camera = Object.assign(new Camera(), { scale, x: 0, y: 0, width: 800, height: 800 });
    return targetAt({ places, camera }, { x: x * scale, y: y * scale }).map((place) => place.id);
  };
  assert.deepEqual(ids(2, 30, 20), ['A']);
  assert.deepEqual(ids(0.3, 640, 100), ['C'], 'beside it, within reach');
  assert.deepEqual(ids(0.3, 62, 20).sort(), ['A', 'B'], 'too small to tell');
  assert.deepEqual(ids(0.3, 400, 20), []);
});

test('the focal point has the name that the chart gives it', () => {
  const box = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10]
  ];
  const venue = { focalPoint: [5, 5], zones: [{ id: 'z', name: 'Finish Line' }], shapes: [] };
  assert.equal(focusName(venue, { zone: 'z' }, inside).name, 'Finish Line');
  const staged = { ...venue, shapes: [{ kind: 'stage', name: 'Bühne', outline: box }] };
  assert.equal(focusName(staged, { zone: 'z' }, inside).name, 'Bühne');
  assert.equal(focusName({ focalPoint: [5, 5] }, {}, inside).name, '');
});

test('a section says its price, or from which price on', () => {
  assert.equal(priceText(EVENT.tiers, 'EUR'), 'from €45');
  assert.equal(priceText([EVENT.tiers[0]], 'EUR'), '€45');
  assert.equal(priceText([], 'EUR'), '');
});

test('instead of a lost seat the nearest free ones side by side are offered, of its price and kind', () => {
  const scene = sceneOf(section('A', { rows: 3, seats: 6 }), section('B', { x: 300 }));
  const among = (...free) => nearestFree(scene, free[0], free[1], (i) => free.slice(2).includes(i));
  const all = Array.from({ length: scene.count }, (_, i) => i);
  assert.deepEqual(among(7, 2, ...all), [8, 9], 'the same row before the next');
  assert.deepEqual(among(7, 2, 9, 11, 13, 14), [13, 14], 'side by side');
  assert.deepEqual(among(7, 1, 1, 10), [10], 'its price before a nearer one');
  assert.deepEqual(among(7, 1, 1), [1], 'another price where there is none of it');
  assert.deepEqual(among(7, 1, 0), [], 'no space for a wheelchair in its place');
  assert.deepEqual(among(7, 1, 18, 19), [], 'no other section');
  const apart = sceneOf(section('A', { rows: 1, seats: 6 }));
  for (const i of [3, 4, 5]) apart.x[i] += 100;
  assert.deepEqual(
    nearestFree(apart, 1, 2, (i) => [2, 3, 4].includes(i)),
    [3, 4],
    'not across an aisle'
  );
});

test('a place is hot that lost many seats of those it had a minute ago, and is named once', () => {
  const counts = (a, b) => ({ sections: { A: { available: a } }, areas: { B: { available: b } } });
  const hot = new HotPlaces();
  assert.equal(hot.see(counts(100, 1000), 0), '');
  assert.equal(hot.see(counts(89, 960), 10_000), '', 'eleven are not many, nor are forty of a thousand');
  assert.equal(hot.see(counts(80, 890), 20_000, { open: 'A' }), 'A', 'the one that is looked at');
  assert.equal(hot.see(counts(70, 880), 30_000, { quiet: true }), '', 'something else is said');
  assert.equal(hot.see(counts(70, 880), 31_000), 'B', 'the one that lost most, once nothing else is said');
  assert.equal(hot.see(counts(60, 870), 40_000, { open: 'A' }), '', 'named lately');
  assert.equal(hot.see(counts(60, 870), 120_000), '', 'a minute without a change');
  assert.equal(new HotPlaces().see(counts(0, 0), 0), '');
  const gone = new HotPlaces();
  gone.see(counts(50, 0), 0);
  assert.equal(gone.see(counts(0, 0), 10_000), '', 'nothing is left to be fast for');
});
