// What is seen of a page, for tests/edge/visual.py: each element with its box, its colours and its letters.
() => {
  const KINDS = 'header, main, footer, h1, h2, p, a, button, input, select, label, li, dt, dd, b, summary, img, canvas';
  const two = (number) => Math.round(number).toString(16).padStart(2, '0');
  const hex = (color) => {
    const parts = color.match(/[\d.]+/g) ?? [];
    return `#${parts.map((part, i) => two(i === 3 ? part * 255 : Number(part))).join('')}`;
  };
  const known = new Map(); // name → how many have it
  const seen = {};
  for (const one of document.querySelectorAll(`:is(${KINDS}, [class])`)) {
    const name = [one.tagName.toLowerCase(), ...one.classList].join('.');
    const place = (known.get(name) ?? 0) + 1;
    known.set(name, place);
    const { left, top, width, height } = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true }) || width < 2 || height < 2) continue;
    if (top + height <= 0 || top >= innerHeight) continue;
    const style = getComputedStyle(one);
    const { borderTopWidth: line, borderTopColor, fontSize, fontWeight, borderTopLeftRadius: corner } = style;
    seen[place > 1 ? `${name} (${place})` : name] = [
      ...[left, top, width, height].map(Math.round),
      hex(style.color),
      hex(style.backgroundColor),
      line === '0px' ? '' : `${line} ${hex(borderTopColor)}`,
      `${fontSize} ${fontWeight}`,
      corner
    ];
  }
  return seen;
};
