// Joined behind the gate by the fuzzer: compact requests in, compact outcomes out.
// Usage: njs -p <folder of the cloudfront module> <joined file> <cases.json> <results.json>

function eventOf(given) {
  const headers = {};
  Object.keys(given.headers).forEach(function (name) {
    const said = given.headers[name];
    headers[name] = typeof said === 'string' ? { value: said } : said.entry === undefined ? said : said.entry;
  });
  return {
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: 'fuzz' },
    viewer: { ip: '203.0.113.7' },
    request: { method: given.method, uri: given.uri, querystring: {}, headers: headers, cookies: {} }
  };
}

function outcomeOf(answered) {
  if (answered.statusCode !== undefined) {
    return { status: answered.statusCode, body: answered.body };
  }
  const word = answered.headers['x-fairgate-edge'];
  return { uri: answered.uri, word: word === undefined ? null : word.value };
}

async function runCases(cases) {
  const outcomes = [];
  console.log = function () {};
  for (let i = 0; i < cases.length; i++) {
    Date.now = function () {
      return cases[i].now_ms;
    };
    let outcome;
    try {
      const answered = await handler(eventOf(cases[i]));
      outcome = outcomeOf(answered);
    } catch (error) {
      outcome = { thrown: String(error) };
    }
    outcomes.push(outcome);
  }
  fs.writeFileSync(process.argv[3], JSON.stringify(outcomes));
}

runCases(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
