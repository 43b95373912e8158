// Which letters can be read on a colour (WCAG 2.2, contrast ratio).

const INK = '#15181d';
const WHITE = '#ffffff';
const ENOUGH = 4.5;

function luminance(color) {
  const [r, g, b] = [1, 3, 5].map((from) => {
    const part = parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Returns white where it can be read on the colour, else ink. */
export const letterOn = (color) => (contrast(color, WHITE) >= ENOUGH ? WHITE : INK);
