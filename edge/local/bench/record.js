// Joined before the gate, in place of its `crypto`: notes every operation, so that a benchmark can
// run exactly these again without the gate around them. `native` is the runtime's own module.

const recorded = [];

function heard(hash, operation) {
  return {
    update: function (data) {
      operation.text = typeof data === 'string' ? (operation.text || '') + data : null;
      operation.hex = typeof data === 'string' ? null : data.toString('hex');
      hash.update(data);
      return this;
    },
    digest: function (encoding) {
      operation.encoding = encoding;
      recorded.push(operation);
      return hash.digest(encoding);
    }
  };
}

const crypto = {
  createHash: function (name) {
    return heard(native.createHash(name), { name: name, key: null });
  },
  createHmac: function (name, key) {
    return heard(native.createHmac(name, key), { name: name, key: Buffer.from(key).toString('hex') });
  }
};
