// The map's colours, read from the style sheet, which knows light from dark.

const TIERS = 8;

function channels(text) {
  const hex = text.trim().replace('#', '');
  return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Returns colours as texts (`ink`, `paper`, …) and, for the renderers, as [r, g, b] of 0 to 1. */
export function readColours(element) {
  const styles = getComputedStyle(element);
  const text = (name) => styles.getPropertyValue(`--${name}`).trim();
  const each = (name) => Array.from({ length: TIERS }, (_, i) => text(`${name}-${i + 1}`));
  return {
    texts: {
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      ...Object.fromEntries(
        [
          'ink',
          'dim',
          'paper',
          'line',
          'map',
          'floor',
          'taken',
          'rim',
          'map-stage',
          'on-stage',
          'yours',
          'on-yours',
          'bad'
        ].map((name) => [name, text(name)])
      ),
      tiers: each('tier'),
      onTiers: each('on-tier')
    },
    family: styles.fontFamily,
    tiers: each('tier').map(channels),
    taken: channels(text('taken')),
    rim: channels(text('rim')),
    yours: channels(text('yours')),
    onYours: channels(text('on-yours'))
  };
}
