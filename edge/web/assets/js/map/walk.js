// The arrow keys' way from seat to seat, as the eye sees it: along a row where it runs that way, else to the next row.

const LEVEL = Math.cos(Math.PI / 4) - 1e-6; // a row that is turned by less runs from left to right
const FAR = 12; // spacings across an aisle

/** Returns the seat that the arrow [dx, dy] leads to from seat `i`, or `i` where there is none. */
export function step(scene, i, [dx, dy]) {
  const row = scene.rows[scene.row[i]];
  const turned = scene.cell[3 * i];
  const along = Math.cos(turned) * dx + Math.sin(turned) * dy;
  const level = Math.abs(Math.cos(turned)) >= LEVEL;
  if (row.to - row.from > 1 && (dx !== 0) === level) {
    const next = i + Math.sign(along);
    if (next >= row.from && next < row.to) return next;
  }
  return ahead(scene, i, dx, dy, (dx !== 0) === level) ?? i;
}

/** Finds the nearest seat of another row in a direction. */
function ahead(scene, i, dx, dy, along) {
  const { x, y, row, pitch } = scene;
  // Across the rows of a turned section, straight ahead is at right angles to the row.
  const turned = scene.cell[3 * i];
  let [ux, uy] = along ? [Math.cos(turned), Math.sin(turned)] : [-Math.sin(turned), Math.cos(turned)];
  if (ux * dx + uy * dy < 0) [ux, uy] = [-ux, -uy];
  let best = null;
  let least = Infinity;
  const reach = pitch * FAR;
  scene.grid.within({ x0: x[i] - reach, y0: y[i] - reach, x1: x[i] + reach, y1: y[i] + reach }, (j) => {
    if (row[j] === row[i]) return;
    const forward = (x[j] - x[i]) * ux + (y[j] - y[i]) * uy;
    const aside = Math.abs((x[j] - x[i]) * uy - (y[j] - y[i]) * ux);
    if (forward < pitch * 0.3 || aside > forward * 1.2 + pitch * 0.5) return;
    if (forward + 2 * aside < least) {
      least = forward + 2 * aside;
      best = j;
    }
  });
  return best;
}
