// Joined behind the gate, before run.js: the steps that a decision takes in the engine's own
// functions, each alone on the decision's own data, with none of the gate's code between them.
// Each is a function of how many times to take it.

function steps(given, name) {
  const request = given.events[name].request;
  const tokens = [request.headers.authorization.value.slice(7), request.headers['x-fairgate-token'].value].map(
    function (token) {
      return token.split('.');
    }
  );
  const payload = tokens[0][1] + tokens[1][1];
  const plain = atob(payload);
  const shape = new RegExp(given.shapes[0]);
  const signatures = ['....', tokens[0][2], '.....', tokens[1][2], '.'].join('');
  const room = Buffer.alloc(96);
  const words = new Float64Array(room.buffer, room.byteOffset, 12);
  const figures = given.value.slice(215, 557); // docs/gate.md has the layout

  return {
    'the function called, one read awaited': async function (times) {
      let last;
      for (let n = 0; n < times; n++) {
        last = calledWithOneRead();
      }
      return await last;
    },
    'the figures decoded': function (times) {
      for (let n = 0; n < times; n++) {
        const bytes = Buffer.from(figures, 'base64url');
        new Float64Array(bytes.buffer, bytes.byteOffset, 32);
      }
    },
    'both payloads decoded': function (times) {
      for (let n = 0; n < times; n++) {
        atob(payload);
      }
    },
    'both payloads matched': function (times) {
      for (let n = 0; n < times; n++) {
        shape.exec(plain);
      }
    },
    'both signatures compared': function (times) {
      for (let n = 0; n < times; n++) {
        sameNumbers(room, words, signatures);
        sameNumbers(room, words, signatures);
      }
    }
  };
}

async function calledWithOneRead() {
  const text = await cf.kvs().get('e');
  return { statusCode: 200, body: text };
}

function sameNumbers(room, n, texts) {
  room.write(texts);
  // biome-ignore format: six like comparisons are read at a glance in two lines
  return (n[0] !== n[6] | n[1] !== n[7] | n[2] !== n[8] |
    n[3] !== n[9] | n[4] !== n[10] | n[5] !== n[11]) === 0;
}
