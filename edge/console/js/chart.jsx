// Curves over time, drawn by uPlot, with a sentence that says the same.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { at, count } from './format.js';

const HEIGHT = 190;
const PRINTED_WIDTH = 380; // so that letters stay readable beside another chart on paper
const dark = matchMedia('(prefers-color-scheme: dark)');

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/**
 * Draws series over time.
 *
 * @param {object} props
 * @param {number[]} props.times seconds since 1970
 * @param {object[]} props.series each with name, values (null: not known), and how it looks: dash, dots, tone,
 *   step, fill
 * @param {string} props.says the chart in a sentence
 * @param {(value: number) => string} props.write how a value is written
 * @param {number} [props.until] how far the axis reaches beyond the last time
 * @param {boolean} [props.marks] whether each value is marked: one alone makes no line
 */
export function Chart({ times, series, says, write, until, marks }) {
  const place = useRef(null);
  const plot = useRef(null);
  const shape = series.map((one) => `${one.name}${one.dash}${one.dots}${one.step}`).join();
  const data = [times, ...series.map((one) => one.values)];

  useEffect(() => {
    const host = place.current;
    const make = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(series, write, host.clientWidth, marks), data, host);
    };
    make();
    const size = (width) => plot.current.setSize({ width, height: HEIGHT });
    const fit = () => size(host.clientWidth);
    const print = () => size(PRINTED_WIDTH);
    const sized = new ResizeObserver(fit);
    sized.observe(host);
    addEventListener('beforeprint', print);
    addEventListener('afterprint', fit);
    dark.addEventListener('change', make);
    return () => {
      globalThis.removeEventListener('beforeprint', print);
      globalThis.removeEventListener('afterprint', fit);
      dark.removeEventListener('change', make);
      sized.disconnect();
      plot.current.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData(data, false);
    const first = times[0] ?? Date.now() / 1000 - 60;
    const last = Math.max(until ?? 0, times.at(-1) ?? 0, first + 60);
    plot.current?.setScale('x', { min: first, max: last });
  }, [times.length, times.at(-1), until]);

  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={says} />
      <figcaption class="key">
        {series.map((one) => (
          <span key={one.name}>
            <i class={`${(one.dash && 'dash ') || (one.dots && 'dots ') || ''}tone-${one.tone ?? 'brand-ink'}`} />{' '}
            {one.name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const SHORT_S = 600; // within which seconds are told apart
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const timesOf = (plot, ticks) => {
  const short = plot.scales.x.max - plot.scales.x.min < SHORT_S;
  return ticks.map((tick) => (short ? at(tick * 1000) : minutes.format(tick * 1000)));
};

// Steps of an axis that counts: between two numbers there is none.
const WHOLE = Array.from({ length: 27 }, (_, n) => [1, 2, 5][n % 3] * 10 ** Math.floor(n / 3));

function optionsOf(series, write, width, marks = false) {
  const axis = {
    stroke: colour('dim'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: '12px sans-serif'
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: true, auto: false }, y: { range: (_, least, most) => [0, Math.max(1, (most ?? 1) * 1.1)] } },
    axes: [
      { ...axis, space: 70, size: 28, values: timesOf },
      { ...axis, size: 56, values: (_, all) => all.map(write), ...(write === count && { incrs: WHOLE }) }
    ],
    series: [
      {},
      ...series.map(({ name, dash, dots, tone = 'brand-ink', step, fill }) => ({
        label: name,
        stroke: colour(tone),
        width: 2,
        dash: (dash && [6, 5]) || (dots && [2, 5]) || undefined,
        fill: fill ? colour('brand-soft') : undefined,
        paths: step ? uPlot.paths.stepped({ align: 1 }) : undefined,
        points: { show: marks, size: 6, fill: colour(tone) }
      }))
    ]
  };
}
