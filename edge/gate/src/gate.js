// The event's value in the key-value store: read once per decision, refused when it is not whole.

import cf from 'cloudfront';

// The gate of an event, or null when there is no such event. Throws when it cannot be read.
export async function readGate(event) {
  const store = cf.kvs();
  let text;
  try {
    text = await store.get('e:' + event);
  } catch (error) {
    // A missing key rejects like any failure; only the second question tells them apart.
    const known = await store.exists('e:' + event);
    if (known === false) {
      return null;
    }
    throw error;
  }
  return checkedGate(JSON.parse(text));
}

// Only what a wrong value would turn into a silent decision; the writer has checked the rest.
function checkedGate(gate) {
  const numbers = [gate.k, gate.p, gate.x, gate.sq, gate.sa, gate.ou, gate.ds, gate.b[0], gate.b[1]];
  gate.ep.forEach(function (epoch) {
    numbers.push(epoch[0], epoch[1], epoch[2]);
  });
  const whole = numbers.every(Number.isFinite) && gate.ep.length > 0 && gate.k >= 1 && gate.v === 1 &&
    (gate.m === 'a' || gate.m === 't') &&
    ['open', 'draining', 'paused', 'soldout', 'closed'].indexOf(gate.s) >= 0 &&
    [gate.d, gate.g, gate.t[gate.tc], gate.u === undefined ? gate.d : gate.u].every(isKey);
  if (!whole) {
    throw new Error('the gate is not whole');
  }
  return gate;
}

function isKey(text) {
  return typeof text === 'string' && text.length === 43;
}
