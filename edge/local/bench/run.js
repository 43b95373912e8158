// Joined behind the gate: its decisions, its bare hash operations and its steps by turns, in one
// process.
//
//   njs -p <folder of the store> <joined file> <given.json> <results.json>
//
// Each section is short beside a scheduler's slice, so that most sections run undisturbed. Times
// go to standard output (console.time is this engine's only clock finer than a millisecond).

const WARM_CHARS = 64 * 1024 * 1024;

// Touches memory that the engine then gives back, so that what is measured finds it ready, as in a
// process that has served before.
function warm() {
  return JSON.stringify('x'.repeat(WARM_CHARS)).length;
}

const given = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const names = Object.keys(given.events);
const results = { memory: {}, reads: {}, answers: {}, recorded: {} };

function prepared(operation) {
  return {
    name: operation.name,
    key: operation.key === null ? null : Buffer.from(operation.key, 'hex'),
    data: operation.text === null ? Buffer.from(operation.hex, 'hex') : operation.text,
    encoding: operation.encoding
  };
}

function bare(operations, times) {
  for (let n = 0; n < times; n++) {
    for (let i = 0; i < operations.length; i++) {
      const o = operations[i];
      const hash = o.key === null ? crypto.createHash(o.name) : crypto.createHmac(o.name, o.key);
      hash.update(o.data).digest(o.encoding);
    }
  }
}

// All are begun before one is waited for, as the engine's own waiting is no part of a decision. They
// run one after the other, in their order.
async function decide(event, times) {
  let last;
  for (let n = 0; n < times; n++) {
    last = handler(event);
  }
  return await last;
}

async function observe(name) {
  const event = given.events[name];
  const readsBefore = cf.reads();
  const before = njs.memoryStats.size;
  const answer = await handler(event);
  results.memory[name] = { first: njs.memoryStats.size - before };
  results.reads[name] = cf.reads() - readsBefore;
  results.answers[name] = answer;
  await decide(event, given.batch);
}

async function compare(name, operations) {
  const each = steps(given, name);
  const taken = Object.keys(each);
  for (let round = 0; round < given.rounds; round++) {
    console.time(name + '.decision');
    await decide(given.events[name], given.batch);
    console.timeEnd(name + '.decision');
    console.time(name + '.bare');
    bare(operations, given.batch);
    console.timeEnd(name + '.bare');
    for (let i = 0; i < taken.length; i++) {
      console.time(name + '.' + taken[i]);
      await each[taken[i]](given.batch);
      console.timeEnd(name + '.' + taken[i]);
    }
  }
}

async function main() {
  cf.hold(given.value);
  for (let i = 0; i < names.length; i++) {
    if (typeof recorded !== 'undefined') {
      recorded.length = 0;
    }
    await observe(names[i]);
    if (typeof recorded !== 'undefined') {
      results.recorded[names[i]] = recorded.slice(0, recorded.length / (given.batch + 1));
    }
  }
  if (given.operations) {
    warm();
  }
  for (let i = 0; given.operations && i < names.length; i++) {
    await compare(names[i], given.operations[names[i]].map(prepared));
  }
  fs.writeFileSync(process.argv[3], JSON.stringify(results));
}

main().catch(function (error) {
  fs.writeFileSync(process.argv[3], JSON.stringify({ error: String(error) }));
});
