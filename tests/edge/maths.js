// Joined behind the readable gate by the tests: the figures of the draw, without the handler.

// The double itself: this engine's decimal spelling may be off in the last digit.
function bits(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value, 0);
  return bytes.toString('hex');
}

const figures = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map(function (given) {
  readRules(given.gate);
  const now = given.now_ms / 1000;
  const at = epochAt(now);
  mustBeWhole(at);
  const claim = given.evt + '|' + given.sub;
  const draw = drawn(given.gate, claim);
  const lot = lotteryTicket(given.gate, draw, claim, given.id);
  const u = lotteryNumber(given.gate, lot);
  const grown = operationalTime(at, now) - given.h / 1e9;
  const x = grown > 0 ? grown : 0;
  const p = admissionProbability(x, rules[CURVE]);
  const wait = remaining(at, u, x, now);
  const told = JSON.parse('{' + shown(at, wait, now, 0) + '}');
  return {
    lot: lot,
    sampled: sampled(draw),
    u: bits(u),
    H: bits(operationalTime(at, now)),
    x: bits(x),
    p: bits(p),
    admitted: u < p,
    boff: backoff(given.id.slice(-8), lot, wait, now),
    estimate: told.estimate,
    state: told.state,
    solved: solves(given.ch, given.bits, given.nonce)
  };
});
fs.writeFileSync(process.argv[3], JSON.stringify(figures));
