// The rates of the node over the last minutes, drawn by uPlot.
import { h, setAttribute } from './dom.js';
import { bytes, rate } from './format.js';

const WINDOW_SECONDS = 120;
const HEIGHT = 160;

export class RateChart {
  constructor() {
    this.canvas = h('div', { class: 'chart', role: 'img' });
    this.element = h('section', { class: 'card', 'aria-label': 'Throughput' },
      h('div', { class: 'card-head' },
        h('h2', {}, 'Throughput'),
        h('div', { class: 'legend', 'aria-hidden': 'true' },
          h('span', { class: 'key-in' }, 'in'), h('span', { class: 'key-out' }, 'out'))),
      this.canvas);
    this.resized = new ResizeObserver(() => this.resize());
    this.resized.observe(this.canvas);
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.onScheme = () => this.draw();
    this.scheme.addEventListener('change', this.onScheme);
    this.data = [[], [], []];
  }

  destroy() {
    this.resized.disconnect();
    this.scheme.removeEventListener('change', this.onScheme);
    this.plot?.destroy();
  }

  update(model) {
    const { at } = model.rates;
    const now = at.length > 0 ? at[at.length - 1] : model.nowMillis / 1000;
    const from = at.findIndex((each) => each >= now - WINDOW_SECONDS);
    const first = Math.max(0, from);
    this.data = [at.slice(first), model.rates.in.slice(first), model.rates.out.slice(first)];
    this.end = now;
    setAttribute(this.canvas, 'aria-label',
      `Rates of the last two minutes. Now ${rate(model.rate('in'))} in and ${rate(model.rate('out'))} out.`);
    if (this.plot) this.plot.setData(this.data);
    else this.draw();
  }

  resize() {
    const width = this.canvas.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
  }

  draw() {
    if (!this.canvas.isConnected || this.end === undefined) return;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), this.data, this.canvas);
  }

  options() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' };
    const line = (name) => ({ stroke: color(name), width: 2, fill: `${color(name)}22`, points: { show: false } });
    return {
      width: this.canvas.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 4, 0, 0],
      scales: {
        x: { range: () => [this.end - WINDOW_SECONDS, this.end] },
        y: { range: (plot, low, high) => [0, Math.max(high * 1.1, 1024)] },
      },
      axes: [
        { ...axis, space: 90, size: 30, values: (plot, splits) => splits.map((each) => new Date(each * 1000).toLocaleTimeString('en-GB')) },
        { ...axis, size: 84, incrs: binaryIncrements(), values: (plot, splits) => splits.map((each) => (each === 0 ? '0' : `${bytes(each).replace(/\.0+ /, ' ')}/s`)) },
      ],
      series: [{}, line('--in'), line('--out')],
    };
  }
}

/** Steps of the axis that are round in binary units. */
function binaryIncrements() {
  const steps = [];
  for (let unit = 1; unit < 2 ** 50; unit *= 1024) {
    for (const step of [1, 2, 5, 10, 20, 50, 100, 200, 500]) steps.push(step * unit);
  }
  return steps;
}
