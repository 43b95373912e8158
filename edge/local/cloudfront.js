// The runtime's `cloudfront` module on one machine: a key-value store of one file per key, named
// by the key in encodeURIComponent spelling. Read at every request, so a change counts at once.

import fs from 'fs';

function fileOf(key) {
  return process.env.FAIRGATE_KVS_DIR + '/' + encodeURIComponent(key);
}

async function exists(key) {
  try {
    fs.accessSync(fileOf(key));
    return true;
  } catch (error) {
    return false;
  }
}

// Rejects for a missing key, as the runtime does.
async function get(key, options) {
  const text = fs.readFileSync(fileOf(key), 'utf8');
  return options && options.format === 'json' ? JSON.parse(text) : text;
}

function kvs() {
  return { get: get, exists: exists };
}

export default { kvs: kvs };
