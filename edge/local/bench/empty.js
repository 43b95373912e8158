// An empty function of the edge: what it costs to be called at all.

async function handler(event) {
  return { statusCode: 200, statusDescription: 'OK', headers: {}, body: '' };
}
