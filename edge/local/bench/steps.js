// Joined behind the gate, before run.js: the steps that a decision takes in the engine's own
// functions, each alone on the decision's own data, with none of the gate's code between them.
// Each is a function of how many times to take it.

function steps(given, name) {
  const request = given.events[name].request;
  const tokens = [request.headers.authorization.value.slice(7), request.headers['x-fairgate-token'].value]
    .map(function (token) {
      return token.split('.');
    });
  const payloads = tokens.map(function (parts) {
    return parts[1] + '===='.slice(parts[1].length % 4 || 4);
  });
  const plain = payloads.map(atob);
  const shapes = given.shapes.map(function (source) {
    return new RegExp(source);
  });
  const shapeOf = function (text) {
    return shapes.find(function (shape) {
      return shape.test(text);
    });
  };
  const nonce = request.headers['x-fairgate-solution'].value;
  const matches = [request.uri, nonce, plain[0], plain[1]].map(function (text) {
    return { shape: shapeOf(text), text: text };
  });
  const gate = JSON.parse(given.value);
  const keys = [gate.a.a2, gate.t.w2, gate.d, gate.t.w2];
  const digests = tokens.map(function (parts) {
    return Buffer.from(parts[2], 'base64url');
  });

  return {
    'the function called, one read awaited': async function (times) {
      for (let n = 0; n < times; n++) {
        await calledWithOneRead();
      }
    },
    'the value parsed': function (times) {
      for (let n = 0; n < times; n++) {
        JSON.parse(given.value);
      }
    },
    'four keys decoded': function (times) {
      for (let n = 0; n < times; n++) {
        for (let i = 0; i < keys.length; i++) {
          Buffer.from(keys[i], 'base64url');
        }
      }
    },
    'two payloads decoded': function (times) {
      for (let n = 0; n < times; n++) {
        atob(payloads[0]);
        atob(payloads[1]);
      }
    },
    'path, nonce and payloads matched': function (times) {
      for (let n = 0; n < times; n++) {
        for (let i = 0; i < matches.length; i++) {
          matches[i].shape.exec(matches[i].text);
        }
      }
    },
    'two signatures compared': function (times) {
      for (let n = 0; n < times; n++) {
        for (let i = 0; i < tokens.length; i++) {
          sameWords(Buffer.from(tokens[i][2], 'base64url'), digests[i]);
        }
      }
    },
    'a payload encoded again': function (times) {
      for (let n = 0; n < times; n++) {
        Buffer.from(plain[1]).toString('base64url');
      }
    }
  };
}

async function calledWithOneRead() {
  const text = await cf.kvs().get('e');
  return { statusCode: 200, body: text };
}

function sameWords(a, b) {
  let difference = a.readUIntBE(26, 6) !== b.readUIntBE(26, 6);
  for (let i = 0; i < 30; i += 6) {
    difference |= a.readUIntBE(i, 6) !== b.readUIntBE(i, 6);
  }
  return !difference;
}
