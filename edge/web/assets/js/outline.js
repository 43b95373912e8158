// Where a name stands inside an outline: as far from its edges as can be, for curved ones too.

const STEPS = 24;

/** Whether a point lies within an outline. */
export function inside(outline, x, y) {
  let odd = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i];
    const [bx, by] = outline[j];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

/** The distance from a point to the nearest edge of an outline. */
export function edgeDistance(outline, x, y) {
  let least = Infinity;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i];
    const [dx, dy] = [outline[j][0] - ax, outline[j][1] - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x - ax - along * dx, y - ay - along * dy));
  }
  return least;
}

/** {x, y, clearance}: the innermost of a grid of points, `clearance` from the edge; ties go to the centre. */
export function middle(outline) {
  const xs = outline.map((p) => p[0]);
  const ys = outline.map((p) => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const centre = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
  let best = { ...centre, clearance: Math.min(x1 - x0, y1 - y0) / 4, score: -Infinity };
  for (let i = 1; i < STEPS; i++) {
    for (let j = 1; j < STEPS; j++) {
      const x = x0 + ((x1 - x0) * i) / STEPS;
      const y = y0 + ((y1 - y0) * j) / STEPS;
      if (!inside(outline, x, y)) continue;
      const clearance = edgeDistance(outline, x, y);
      const score = clearance - 0.15 * Math.hypot(x - centre.x, y - centre.y);
      if (score > best.score) best = { x, y, clearance, score };
    }
  }
  return { x: best.x, y: best.y, clearance: best.clearance };
}
