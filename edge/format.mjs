// Checks how the JavaScript and the style sheet are laid out and that no scripts import each other in a
// circle; with --write it lays them out anew.
//
// Biome's program is installed on Linux with glibc on x64 only (package.json); elsewhere this says that
// it is left out, and CI checks it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BIOME = join(ROOT, 'node_modules', '@biomejs', 'cli-linux-x64', 'biome');

/** Returns what keeps Biome from running on this machine, or ''. */
export function reasonToLeaveOut(platform, arch, glibcVersion) {
  if (platform === 'linux' && arch === 'x64' && glibcVersion) return '';
  const machine = `${platform} on ${arch}${platform === 'linux' && !glibcVersion ? ' without glibc' : ''}`;
  return `The formatting of JavaScript is left out: Biome is installed on Linux with glibc on x64, this is ${machine}.`;
}

function main(options) {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const reason = reasonToLeaveOut(process.platform, process.arch, glibcVersionRuntime);
  if (reason) {
    console.log(reason);
    return 0;
  }
  if (!existsSync(BIOME)) {
    console.error('Biome is missing, which formats the JavaScript: npm ci installs it.');
    return 1;
  }
  const command = ['check', '--log-level=warn', ...options, '.'];
  return spawnSync(BIOME, command, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
