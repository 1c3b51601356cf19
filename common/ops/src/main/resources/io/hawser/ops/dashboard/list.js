// A list that only has elements for the rows in sight, so that ten thousand are as fast as ten.
import { h, setAttribute } from './dom.js';

const BESIDE = 6;

export class VirtualList {
  /** @param makeRow makes `{element, update(item)}` */
  constructor(makeRow, label) {
    this.makeRow = makeRow;
    this.items = [];
    this.shown = new Map();
    this.spare = [];
    this.element = h('ul', { class: 'rows virtual', 'aria-label': label, keydown: (event) => this.onKey(event) });
    this.onScroll = () => this.schedule();
    addEventListener('scroll', this.onScroll, { passive: true });
    addEventListener('resize', this.onScroll, { passive: true });
  }

  destroy() {
    removeEventListener('scroll', this.onScroll);
    removeEventListener('resize', this.onScroll);
  }

  set(items, update) {
    this.items = items;
    this.update = update;
    this.schedule();
  }

  schedule() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (this.element.isConnected) this.render();
    });
  }

  rowHeight() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue('--row-height'));
  }

  render() {
    const height = this.rowHeight();
    const total = `${this.items.length * height}px`;
    if (this.element.style.height !== total) this.element.style.height = total;
    const top = -this.element.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(top / height) - BESIDE);
    const last = Math.min(this.items.length, Math.ceil((top + innerHeight) / height) + BESIDE);
    const wanted = this.items.slice(first, last);
    this.releaseOthers(new Set(wanted.map((item) => item.key)));
    let place = this.element.firstElementChild;
    wanted.forEach((item, index) => {
      const row = this.rowOf(item);
      row.update(item);
      this.put(row.element, first + index, height);
      if (row.element === place) place = place.nextElementSibling;
      else this.element.insertBefore(row.element, place);
    });
  }

  put(element, index, height) {
    const move = `translateY(${index * height}px)`;
    if (element.style.transform !== move) element.style.transform = move;
    setAttribute(element, 'aria-setsize', this.items.length);
    setAttribute(element, 'aria-posinset', index + 1);
  }

  rowOf(item) {
    let row = this.shown.get(item.key);
    if (!row) {
      row = this.spare.pop() ?? this.makeRow();
      this.shown.set(item.key, row);
    }
    return row;
  }

  releaseOthers(keys) {
    for (const [key, row] of this.shown) {
      if (!keys.has(key)) {
        this.shown.delete(key);
        row.element.remove();
        this.spare.push(row);
      }
    }
  }

  /** Arrow keys move from row to row. */
  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const current = event.target.closest('li');
    if (!step || !current) return;
    const index = Number(current.getAttribute('aria-posinset')) - 1 + step;
    if (index < 0 || index >= this.items.length) return;
    event.preventDefault();
    const kind = event.target.matches('input') ? 'input' : 'a';
    this.shown.get(this.items[index].key)?.element.querySelector(kind).focus({ preventScroll: false });
    this.schedule();
  }
}
