// Joined behind the readable gate by the tests: the figures of the draw, without the handler.

// The double itself: this engine's decimal spelling may be off in the last digit.
function bits(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value, 0);
  return bytes.toString('hex');
}

const figures = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map(function (given) {
  const gate = JSON.parse(given.gate);
  const now = given.now_ms / 1000;
  const line = lineAt(gate.ep, now);
  const lot = lotteryTicket(gate, given.evt, given.sub, given.id);
  const u = lotteryNumber(gate, lot);
  const x = progress(line, onGrid(given.h), now);
  const p = admissionProbability(x, gate.k);
  const wait = remaining(gate, line, u, x, now);
  return {
    lot: lot, u: bits(u), H: bits(operationalTime(line, now)), x: bits(x), p: bits(p), admitted: u < p,
    boff: backoff(gate, given.id, wait, now), estimate: JSON.parse(estimate(gate, wait)),
    state: stateShown(gate, now), solved: solves(given.ch, given.bits, given.nonce)
  };
});
fs.writeFileSync(process.argv[3], JSON.stringify(figures));
