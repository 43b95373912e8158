// Joins src/*.js into the one file that CloudFront, nginx and Node run: build/gate.js.
//
// The same sources give the same bytes. Refuses what the runtime refuses, and anything over its
// 10 KB (CloudFront Developer Guide, cloudfront-limits).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';
import { minify } from 'terser';
import { runtimeConfig } from './runtime-rules.mjs';

const BYTES_MAX = 10240;
const ORDER = ['mac', 'gate', 'draw', 'token', 'answer', 'handler'];
const RUNTIME_IMPORTS = "import cf from 'cloudfront';\nimport crypto from 'crypto';\n";
const here = dirname(fileURLToPath(import.meta.url));

export function joined() {
  const parts = ORDER.map((name) =>
    readFileSync(join(here, 'src', `${name}.js`), 'utf8')
      .replace(/^import [^;]*;\n/gm, '')
      .replace(/^export /gm, '')
  );
  return RUNTIME_IMPORTS + parts.join('\n');
}

// Names get short, constants and small functions stand where they are used and statements are joined. No function
// becomes an expression that is made anew at each request (reduce_funcs). An `await` that a compressor moves into
// the arguments of a call is refused below: the runtime does not parse it.
export async function built() {
  const { code } = await minify(joined(), {
    module: false,
    compress: {
      defaults: false,
      toplevel: true,
      top_retain: ['handler'],
      evaluate: true,
      reduce_vars: true,
      join_vars: true,
      conditionals: true,
      if_return: true,
      sequences: true,
      dead_code: true,
      unused: true,
      booleans: true,
      comparisons: true,
      inline: 3,
      unsafe_comps: true,
      hoist_vars: true,
      collapse_vars: true,
      passes: 3
    },
    mangle: { toplevel: true, reserved: ['handler', 'cf', 'crypto'] },
    format: { comments: false, ecma: 5, max_line_len: 5000 }
  });
  // Its variables come first; the runtime's imports do in all of AWS's samples.
  return code.replace(/^(var [^;]+;)((?:import [^;]+;)+)/, '$2$1') + '\n';
}

export function refusals(code) {
  return new Linter()
    .verify(code, [runtimeConfig], { filename: 'gate.js' })
    .map((m) => `${m.line}:${m.column} ${m.message}`);
}

async function main(target) {
  const code = await built();
  const bytes = Buffer.byteLength(code);
  const wrong = [...refusals(joined()), ...refusals(code)];
  if (bytes >= BYTES_MAX) wrong.push(`${bytes} bytes, fewer than ${BYTES_MAX} fit`);
  if (!/\basync function handler\(/.test(code)) wrong.push('the handler lost its name');
  if (wrong.length > 0) {
    console.error(`The gate was not built:\n  ${wrong.join('\n  ')}`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
  console.log(`build/gate.js: ${bytes} of ${BYTES_MAX} bytes`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(process.argv[2] ?? join(here, '../../build/gate.js'));
}
