// The runtime's `cloudfront` module for benchmarks: one value in memory, and a count of its reads. Its
// own work is none of the decision's, so the promise is made before.

const SECRET = 'jwt.secret'; // what the sample beside the gate asks for
const state = { answer: null, secret: null, reads: 0 };

function get(key) {
  state.reads++;
  return key === SECRET ? state.secret : state.answer;
}

function exists() {
  state.reads++;
  return Promise.resolve(true);
}

function kvs() {
  return { get: get, exists: exists };
}

function hold(text) {
  state.answer = Promise.resolve(text);
}

function keep(secret) {
  state.secret = Promise.resolve(secret);
}

function reads() {
  return state.reads;
}

export default { kvs: kvs, hold: hold, keep: keep, reads: reads };
