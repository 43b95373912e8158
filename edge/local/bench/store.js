// The runtime's `cloudfront` module for benchmarks: one value in memory, and a count of its reads.

const state = { text: '', reads: 0 };

function get() {
  state.reads++;
  return Promise.resolve(state.text);
}

function exists() {
  state.reads++;
  return Promise.resolve(true);
}

function kvs() {
  return { get: get, exists: exists };
}

function hold(text) {
  state.text = text;
}

function reads() {
  return state.reads;
}

export default { kvs: kvs, hold: hold, reads: reads };
