// Bundles the pages as they are served → build/web: index.html, and below assets/ the style sheet, the script of the
// first page, one of each view that comes later, the worker, the picture of previews, and the words of each language in
// some parts.
//
//   node edge/web/build.mjs [target] [source]
//
// Beside them the console, console.html with a style sheet and scripts of its own (edge/console).
//
// Of the scripts, early.js stands in the page: the policy of the pages (infra/headers.py) names its hash.
//
// The name of each asset has the hash of its content, so that browsers and CloudFront keep it for good, and a page
// that was opened before an update still finds what it has not loaded yet. The same sources give the same bytes.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { LANGUAGES } from './assets/js/language.js';
import { messagesOf, partsOf } from './words.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const PAGE = 'index.html';
const CONSOLE = 'console.html';
const CONSOLE_FOLDER = join(here, '../console');
const CARD = 'card.png'; // what previews of a link show
const OPTIONS = {
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  minify: true,
  format: 'esm',
  charset: 'utf8', // an escape takes thrice the bytes
  target: 'es2020', // the first with import() and import.meta
  outdir: 'out',
  nodePaths: [join(here, '../../node_modules')], // also for sources elsewhere
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]'
};

const hashOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();

/** Returns what a module imports at once, by itself or by what it imports. */
function reached(inputs, from, found = new Set()) {
  found.add(from);
  for (const { path, kind } of inputs[from].imports) {
    if (kind === 'import-statement' && !found.has(path)) reached(inputs, path, found);
  }
  return found;
}

/**
 * Builds the words: a module for each language and part, as the messages that are read already. All have one hash in
 * their names: early.js is to be short. It stands in the page, so their addresses begin at the root. Returns the files,
 * and what stands in the place of word-files.js.
 */
async function builtWords(folder, options) {
  const parts = LANGUAGES.flatMap((language) => partsOf(folder).map(([part, areas]) => ({ part, language, areas })));
  const textOf = ({ language, areas }) => `export default ${JSON.stringify(messagesOf(folder, language, areas))}`;
  const texts = new Map(parts.map((one) => [`${one.part}-${one.language}`, textOf(one)]));
  const hash = hashOf([...texts.values()].join());
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /./ }, ({ path }) => ({ path, namespace: 'words' }));
    onLoad({ filter: /./, namespace: 'words' }, ({ path }) => ({ contents: texts.get(path) }));
  };
  const own = { entryPoints: [...texts.keys()], entryNames: `[name]-${hash}`, splitting: false };
  const { outputFiles } = await build({ ...options, ...own, plugins: [{ name: 'words', setup }] });
  const module = `
    export async function load(language, part, again = '') {
      const path = '/assets/' + part + '-' + language + '-${hash}.js' + again;
      return (await import(path)).default;
    }`;
  return { outputFiles, module };
}

/** Puts the words as they were built in the place of those of the sources. */
const worded = (module) => ({
  name: 'worded',
  setup: ({ onLoad }) => onLoad({ filter: /word-files\.js$/ }, () => ({ contents: module }))
});

/**
 * Has each module that comes later import all that the first page does: so all of that is one chunk, where else there
 * would be one for each set of those that share a module. Names the worker as it was built.
 */
function joined(assets, inputs, worker) {
  const first = [...reached(inputs, 'js/main.js')];
  const imports = first.map((path) => `import ${JSON.stringify(join(assets, path))};`).join('');
  const all = Object.values(inputs).flatMap((input) => input.imports);
  const later = new Set(all.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => join(assets, path)));
  return {
    name: 'joined',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8').replace('./pow-worker.js', `./${worker}`);
        return { contents: later.has(path) ? text + imports : text };
      });
    }
  };
}

/** Returns the files of a release: [path, content], the page last. */
export async function built(source = here) {
  const folder = resolve(source, 'assets');
  const options = { ...OPTIONS, absWorkingDir: folder };
  const worker = await build({ ...options, entryPoints: ['js/pow-worker.js'] });
  const words = await builtWords(join(source, 'words'), options);
  const spoken = worded(words.module);
  // What early.js shares with the pages is in both, so that it does not wait for more.
  const early = await build({ ...options, splitting: false, entryPoints: ['js/early.js'], plugins: [spoken] });
  const [{ text: inline }] = early.outputFiles;
  const plain = await build({ ...options, entryPoints: ['js/main.js'], plugins: [spoken] });
  const plugins = [spoken, joined(folder, plain.metafile.inputs, basename(worker.outputFiles[0].path))];
  const pages = await build({ ...options, entryPoints: ['js/main.js', 'app.css'], plugins });
  const made = Object.entries(pages.metafile.outputs).filter(([, { entryPoint }]) => entryPoint);
  const names = Object.fromEntries(made.map(([path, { entryPoint }]) => [entryPoint, basename(path)]));
  const entry = names['js/main.js'];
  const [chunk] = pages.metafile.outputs[`out/${entry}`].imports; // the entry has nothing but this import
  names['js/main.js'] = basename(chunk.path);
  const all = [worker, words, pages].flatMap(({ outputFiles }) => outputFiles);
  const assets = all.filter(({ path }) => basename(path) !== entry);
  const picture = readFileSync(join(folder, CARD));
  names[CARD] = CARD.replace('.', `-${hashOf(picture)}.`);
  return [
    [`assets/${names[CARD]}`, picture],
    ...assets.map(({ path, contents }) => [`assets/${basename(path)}`, Buffer.from(contents)]),
    ...(await builtConsole(source, [spoken])),
    [PAGE, page(source, names, inline)]
  ];
}

/** Returns the console's files, its page last. Its map speaks the buyers' words. */
async function builtConsole(source, plugins) {
  const entryPoints = { console: 'css/console.css', main: 'js/main.jsx' };
  const own = {
    absWorkingDir: CONSOLE_FOLDER,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: 'console-[hash]'
  };
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    ...own,
    chunkNames: 'console-[name]-[hash]',
    entryPoints,
    plugins
  });
  const made = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint);
  const names = Object.fromEntries(made.map(([path, { entryPoint }]) => [basename(entryPoint), basename(path)]));
  const files = outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, Buffer.from(contents)]);
  return [...files, [CONSOLE, named(readFileSync(join(CONSOLE_FOLDER, CONSOLE), 'utf8'), source, names)]];
}

/** Names the assets in a page as they were built; the icon stands in it. */
function named(text, source, names) {
  const icon = readFileSync(join(source, 'assets/icon.svg'), 'utf8').trim();
  const data = `data:image/svg+xml,${encodeURIComponent(icon)}`;
  return text.replace(/\/assets\/(?!js\/early)([^"]+)/g, (_, name) =>
    name === 'icon.svg' ? data : `/assets/${names[name]}`
  );
}

/** Names the assets in the buyers' page; the early script stands in it. */
function page(source, names, early) {
  if (/<[/!]/.test(early)) throw new Error('early.js would end the script that it stands in');
  const text = named(readFileSync(join(source, PAGE), 'utf8'), source, names);
  return text.replace(/ src="\/assets\/js\/early\.js"([^>]*)>/, (_, rest) => `${rest}>${early.trim()}`);
}

/** Writes each file whole, what names others after them, and then removes what no file names any more. */
function write(files, target) {
  const folder = join(target, 'assets');
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of files) {
    const part = join(target, `${basename(path)}.${process.pid}`);
    writeFileSync(part, content);
    renameSync(part, join(target, path));
  }
  const kept = new Set(files.map(([path]) => basename(path)));
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target = join(here, '../../build/web'), source] = process.argv.slice(2);
  const files = await built(source);
  write(files, target);
  console.log(`build/web: ${files.length} files, ${files.reduce((sum, [, { length }]) => sum + length, 0)} bytes`);
}
