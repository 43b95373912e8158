// Joined behind the gate by the tests: runs cases read from a file at fixed times.
// Usage: njs -p <folder of the cloudfront module> <joined file> <cases.json>

async function runCases(cases) {
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
    console.log('RESULT ' + JSON.stringify(outcome));
  }
}

runCases(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
