// Joined behind the readable gate by the tests: the figures of the draw, without the handler.

// The double itself: this engine's decimal spelling may be off in the last digit.
function bits(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value, 0);
  return bytes.toString('hex');
}

const figures = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map(function (given) {
  const gate = given.gate;
  const lot = lotteryTicket(gate, given.evt, given.sub, given.id);
  const u = lotteryNumber(gate, lot);
  const x = progress(gate, given.h, given.now);
  const p = admissionProbability(x, gate.k);
  return {
    lot: lot, u: bits(u), H: bits(operationalTime(gate.ep, given.now)), x: bits(x), p: bits(p), admitted: u < p,
    boff: backoff(gate, given.id, u, x, given.now), estimate: estimate(gate, u, x, given.now),
    state: stateShown(gate, given.now), solved: solves(given.ch, given.bits, given.nonce)
  };
});
fs.writeFileSync(process.argv[3], JSON.stringify(figures));
