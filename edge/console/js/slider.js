// A slider for τ, on which the same distance is the same factor: 0 is 1 s, each 250 ten times more.

const DECADE = 250;

export const tauAt = (place) => Number((10 ** (place / DECADE)).toPrecision(2));
export const placeOf = (tau) => Math.round(DECADE * Math.log10(tau));
