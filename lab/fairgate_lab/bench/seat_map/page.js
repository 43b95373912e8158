// What `make bench-map` measures in the page: the product's own modules, on data that are there already.

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const on = { place() {}, seat() {}, mark() {}, placeMark() {}, settled() {}, want() {} };

/** Keeps the layout's texts, and loads the modules: that is the network's time. */
export async function prepare(files, renderer) {
  globalThis.files = files;
  if (renderer === 'canvas') {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
      return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
    };
  }
  const { readyWords } = await import('/assets/js/words.js');
  for (const part of ['first', 'map']) await readyWords(part);
  for (const name of ['seat-map', 'gl', 'canvas']) await import(`/assets/js/map/${name}.js`);
}

/** Shows all seats from the texts of the layout's files; the map stays for the rest. */
export async function first() {
  const { venue, seats, event } = globalThis.files;
  const { SeatMap } = await import('/assets/js/map/seat-map.js');
  globalThis.map?.close();
  const map = new SeatMap(JSON.parse(venue), event, on);
  document.body.replaceChildren(map.element);
  map.resize();
  await map.setPictures(JSON.parse(seats).sections);
  map.paint();
  globalThis.map = map;
}

/** Goes to a zoom where a seat has `seatPx`, or to the whole venue. */
export async function goTo(seatPx) {
  const { map } = globalThis;
  map.show('', true);
  const middle = { x: map.camera.width / 2, y: map.camera.height * 0.8 };
  if (seatPx) map.moveTo(map.camera.zoomed(seatPx / map.seatPx, middle));
  await frame();
}

/** Moves the map by `count` frames. */
export function frames(count) {
  const { map } = globalThis;
  for (let n = 0; n < count; n++) {
    map.moveTo(map.camera.panned(n % 20 < 10 ? 5 : -5, 1));
    map.paint();
  }
}

/** Takes over `count` changes all over the venue, `rounds` times; with `drawn`, and shows them. */
export function changes(count, rounds, drawn) {
  const { map } = globalThis;
  for (let round = 0; round < rounds; round++) {
    const bySection = new Map(map.scene.sections.map((section) => [section, []]));
    for (let n = 0; n < count; n++) {
      const i = (n * 7919 + round * 104729) % map.scene.count;
      const section = map.scene.sections[map.scene.section[i]];
      bySection.get(section).push([i - section.from, map.scene.base[i] ? 0 : 2]);
    }
    for (const [section, news] of bySection) map.scene.change(section, news);
    if (drawn) map.paint();
  }
}

/** Shows the same seats with @alisaitteke/seatmap-canvas, from its own kind of data. */
export async function peer() {
  const { SeatMapCanvas } = await import('/peer/dist/esm/seatmap.canvas.js');
  const holder = document.createElement('div');
  holder.className = 'peer';
  holder.style.cssText = 'width: 1056px; height: 780px';
  document.body.replaceChildren(holder);
  const blocks = JSON.parse(globalThis.files.seats).sections.map((section, number) => {
    let [x, y] = [0, 0];
    const seats = section.x.map((step, i) => ({
      id: `${section.id}-${i}`,
      title: String(i),
      x: (x += step) / 100,
      y: (y += section.y[i]) / 100,
      salable: true
    }));
    return { id: number, title: section.id, labels: [], color: '#2c2828', seats };
  });
  const style = { seat: {}, block: {}, legend: {}, label: {}, tooltip: {} };
  const map = new SeatMapCanvas('.peer', { resizable: true, legend: false, style });
  map.data.replaceData(blocks);
  await frame();
  return holder.querySelectorAll('*').length;
}
