// All transfers that the node knows, by group and by a part of name, topic or key.
import { h, setText, show } from './dom.js';
import { GROUPS } from './model.js';
import { Row } from './row.js';
import { VirtualList } from './list.js';
import { Selection } from './selection.js';
import { count } from './format.js';

const LABELS = { all: 'All', moving: 'Moving', stuck: 'Stuck', waiting: 'Waiting', failed: 'Failed', done: 'Done' };

export class Transfers {
  title = 'Transfers';

  constructor(context, group = 'all') {
    this.context = context;
    this.group = LABELS[group] ? group : 'all';
    this.filters = new Map(['all', ...GROUPS].map((each) => [each, this.filter(each)]));
    this.search = h('input', {
      type: 'search', id: 'search', placeholder: 'Part of a name, topic or key', autocomplete: 'off', spellcheck: 'false',
      input: () => this.update(),
    });
    this.selection = new Selection(context, () => this.update());
    this.list = new VirtualList(() => this.row(), 'Transfers');
    this.found = h('p', { class: 'hint', role: 'status' });
    this.element = h('div', {},
      h('div', { class: 'view-head' },
        h('h1', {}, 'Transfers'),
        h('div', { class: 'search' }, h('label', { for: 'search', class: 'unseen' }, 'Search'), this.search)),
      h('ul', { class: 'filters', 'aria-label': 'Groups' }, [...this.filters.values()].map((each) => each.element)),
      this.found,
      this.selection.head,
      h('section', { class: 'card flush', 'aria-label': 'List of transfers' }, this.list.element),
      this.selection.bar);
  }

  filter(group) {
    const number = h('span', { class: 'number' });
    const link = h('a', { href: `#/transfers/${group}`, 'aria-current': group === this.group ? 'true' : null }, LABELS[group], ' ', number);
    return { element: h('li', {}, link), number };
  }

  row() {
    const row = new Row(this.context, this.selection);
    return { element: row.element, update: (item) => row.update(item, this.context.model.nowMillis) };
  }

  destroy() {
    this.list.destroy();
  }

  update() {
    const { model } = this.context;
    setText(this.filters.get('all').number, count(model.newest.length));
    GROUPS.forEach((group) => setText(this.filters.get(group).number, count(model.counts[group] ?? 0)));
    const text = this.search.value.trim().toLowerCase();
    const found = model.newest.filter((row) => (this.group === 'all' || row.group === this.group) && matches(row, text));
    this.selection.update(found);
    this.list.element.classList.toggle('choosable', this.selection.isOffered);
    this.list.set(found);
    const isEmpty = model.isComplete && found.length === 0;
    show(this.found, isEmpty || text !== '');
    setText(this.found, isEmpty ? 'No transfer here.' : text ? `${count(found.length)} found` : '');
  }
}

function matches(row, text) {
  return text === '' || row.name.toLowerCase().includes(text) || row.topic.toLowerCase().includes(text) || row.key.includes(text);
}
