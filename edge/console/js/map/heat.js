// The six steps of heat: what share of a section is gone.

export const STEPS = ['under 20%', '20–39%', '40–59%', '60–79%', '80–99%', '100%'];

/** Returns the step, 0 to 5, of a share from 0 to 1; the last is for what is gone whole. null: not known. */
export function stepOf(share) {
  if (share === null || share === undefined || Number.isNaN(share)) return null;
  return share >= 1 ? 5 : Math.max(0, Math.min(4, Math.floor(share * 5)));
}

/** Returns [{id, gone, of, share}] of sections and areas: what is sold or held, of what is for sale. */
export function sharesOf({ sections, areas }) {
  const made = (id, gone, of) => ({ id, gone, of, share: of > 0 ? gone / of : null });
  return [
    ...sections.map(({ id, sold, held, total, blocked }) => made(id, sold + held, total - blocked)),
    ...areas.map(({ id, taken, total, blocked }) => made(id, taken, total - blocked))
  ];
}
