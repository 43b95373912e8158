// The runtime's `cloudfront` module on one machine: a key-value store of one file per key, named
// by the key in encodeURIComponent spelling. Read at every request, so a change counts at once.

import fs from 'fs';

const KEY_BYTES_MAX = 512; // CloudFront Developer Guide, cloudfront-limits

function fileOf(key) {
  return process.env.FAIRGATE_KVS_DIR + '/' + encodeURIComponent(key);
}

function refuseLong(key) {
  if (Buffer.from(key).length > KEY_BYTES_MAX) {
    throw new Error('the key is too long');
  }
}

async function exists(key) {
  refuseLong(key);
  try {
    fs.accessSync(fileOf(key));
    return true;
  } catch (error) {
    return false;
  }
}

// Rejects for a missing key, as the runtime does.
async function get(key, options) {
  refuseLong(key);
  const text = fs.readFileSync(fileOf(key), 'utf8');
  return options && options.format === 'json' ? JSON.parse(text) : text;
}

function kvs() {
  return { get: get, exists: exists };
}

export default { kvs: kvs };
