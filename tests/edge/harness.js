// Joined behind the gate by the tests: runs cases read from a file at fixed times.
// Usage: njs -p <folder of the cloudfront module> <joined file> <cases.json> <results.json>

async function runCases(cases) {
  const outcomes = [];
  for (let i = 0; i < cases.length; i++) {
    const given = cases[i];
    Date.now = function () {
      return given.now_ms;
    };
    let outcome;
    try {
      outcome = await handler(given.event);
    } catch (error) {
      outcome = { thrown: String(error) };
    }
    outcomes.push(outcome);
  }
  fs.writeFileSync(process.argv[3], JSON.stringify(outcomes));
}

runCases(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
