// The runtime's `cloudfront` module for benchmarks: one value in memory, and a count of its reads. Its
// own work is none of the decision's, so the promise is made before.

const state = { answer: null, reads: 0 };

function get() {
  state.reads++;
  return state.answer;
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

function reads() {
  return state.reads;
}

export default { kvs: kvs, hold: hold, reads: reads };
