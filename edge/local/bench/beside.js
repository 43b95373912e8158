// Joined behind the gate: what it answers to each kind of request, one HMAC and the sample, by turns in one
// process. Called as run.js is. `sample` is the module beside this file.

const WARM_CHARS = 128 * 1024 * 1024;

const given = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const kinds = Object.keys(given.kinds);
const results = { answers: {}, reads: {} };

function clones(event, times) {
  const text = JSON.stringify(event);
  const all = [];
  for (let n = 0; n < times; n++) {
    all.push(JSON.parse(text));
  }
  return all;
}

// A function changes the request that it sends on, so each call has one of its own.
async function gateOver(events) {
  let last;
  for (let n = 0; n < events.length; n++) {
    last = handler(events[n]);
  }
  return await last;
}

async function sampleOver(events) {
  let last;
  for (let n = 0; n < events.length; n++) {
    last = sample.handler(events[n]);
  }
  return await last;
}

function hmacs(times) {
  for (let n = 0; n < times; n++) {
    crypto.createHmac('sha256', given.hmac.key).update(given.hmac.text).digest('base64url');
  }
}

async function observe(kind) {
  const one = given.kinds[kind];
  const readsBefore = cf.reads();
  results.answers[kind] = await (one.by === 'sample' ? sampleOver : gateOver)(clones(one.event, 1));
  results.reads[kind] = cf.reads() - readsBefore;
}

async function measure(kind) {
  const one = given.kinds[kind];
  const over = one.by === 'sample' ? sampleOver : gateOver;
  const events = clones(one.event, given.batch);
  console.time(kind + '.call');
  await over(events);
  console.timeEnd(kind + '.call');
}

// The place as the gate itself signs it again, with a time to come back that has come by now.
async function returned(event) {
  cf.hold(given.hasty);
  const answer = await handler(clones(event, 1)[0]);
  cf.hold(given.value);
  return JSON.parse(answer.body);
}

// Touches memory that the engine then gives back, as run.js does and for its reason.
function warm() {
  return JSON.stringify('x'.repeat(WARM_CHARS)).length;
}

async function main() {
  warm();
  cf.keep(given.secret);
  const place = await returned(given.kinds[given.repeated].event);
  const headers = given.kinds[given.repeated].event.request.headers;
  if (place.token) {
    headers['x-fairgate-token'].value = place.token;
  }
  headers['x-fairgate-slip'] = { value: place.slip };
  for (let i = 0; i < kinds.length; i++) {
    await observe(kinds[i]);
  }
  for (let round = 0; round < given.rounds; round++) {
    console.time('hmac.call');
    hmacs(given.batch);
    console.timeEnd('hmac.call');
    for (let i = 0; i < kinds.length; i++) {
      await measure(kinds[i]);
    }
  }
  fs.writeFileSync(process.argv[3], JSON.stringify(results));
}

main().catch(function (error) {
  fs.writeFileSync(process.argv[3], JSON.stringify({ error: String(error) }));
});
