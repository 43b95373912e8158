// Files of an act: each as base64, what is text packed with gzip.

const PACKED = /\.(json|toml|txt)$/i;

async function bytesOf(blob, name) {
  if (!PACKED.test(name)) return blob;
  return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

/** Returns a file as a data address. */
export const dataOf = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

async function base64Of(blob) {
  const data = await dataOf(blob);
  return data.slice(data.indexOf(',') + 1);
}

/** Returns a name for each file: its own; where two have one name, with what it is for before it. */
export function namesOf(files) {
  const taken = new Set();
  const names = {};
  for (const [use, { name }] of Object.entries(files)) {
    names[use] = taken.has(name) ? `${use}-${name}` : name;
    taken.add(names[use]);
  }
  return names;
}

/** `files`: {argument: {name, blob}}. Returns {names: {argument: name}, files: what the request's body has}. */
export async function packed(files) {
  const names = namesOf(files);
  const entries = Object.entries(files).map(async ([use, { blob }]) => {
    const name = names[use];
    return [name, { base64: await base64Of(await bytesOf(blob, name)) }];
  });
  return { names, files: Object.fromEntries(await Promise.all(entries)) };
}
