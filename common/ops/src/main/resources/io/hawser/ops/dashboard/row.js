// One transfer in a list: its state, its bars by hop, and why it does not move.
import { h, setAttribute, setText, show } from './dom.js';
import { actionButton, actionsFor } from './actions.js';
import { ago, bytes, duration, hopName, percent, plural, rate } from './format.js';
import { insteadOfRetry, mainReason } from './model.js';

const WORDS = { moving: 'Moving', stuck: 'Stuck', waiting: 'Waiting', failed: 'Failed', done: 'Done' };

export const transferLink = (key) => `#/transfer/${encodeURIComponent(key)}`;

export function stateWord(row) {
  if (row.group === 'done' || row.group === 'failed') return row.state[0].toUpperCase() + row.state.slice(1);
  return WORDS[row.group];
}

/** The bars of a transfer: the first hop, then its far ends; several of these as one. */
export function bars(row) {
  const [first, ...others] = row.hops;
  if (!first) return [];
  const found = [bar(row, hopName(first.hop), [first], [row.rates[0]])];
  if (others.length > 0) {
    const name = others.length === 1 ? hopName(others[0].hop) : `to ${others.length} far ends`;
    found.push(bar(row, name, others, row.rates.slice(1)));
  }
  return found;
}

function bar(row, name, hops, rates) {
  const isDone = hops.every((hop) => hop.state === 'delivered' || hop.state === 'committed');
  const durable = hops.reduce((sum, hop) => sum + hop.durableBytes, 0);
  const size = row.sizeBytes * hops.length;
  const bytesPerSecond = rates.reduce((sum, each) => sum + (each ?? 0), 0);
  return {
    name,
    part: isDone ? 100 : row.sizeBytes < 0 ? null : percent(durable, size),
    value: bytesPerSecond > 0 ? rate(bytesPerSecond) : isDone ? 'done' : row.sizeBytes < 0 ? bytes(durable) : `${percent(durable, size)} %`,
    tone: hops.some((hop) => ['failed', 'dead', 'expired'].includes(hop.state)) ? 'failed' : isDone ? 'done' : row.group,
  };
}

/** An element for transfers; `update` lets it show one. */
export class Row {
  /** `selection` lets the user choose it; without one it cannot be chosen. */
  constructor(context, selection) {
    this.context = context;
    this.selection = selection;
    this.box = h('input', { type: 'checkbox', change: () => selection.choose(this.key, this.box.checked) });
    this.chooser = selection ? h('label', { class: 'chooser' }, this.box) : null;
    this.state = h('span', { class: 'state' });
    this.link = h('a', { class: 'name' });
    this.meta = h('div', { class: 'meta' });
    this.bars = [new Bar(), new Bar()];
    this.reason = h('span', {});
    this.advice = h('span', { class: 'advice' });
    this.why = h('div', { class: 'why' }, this.reason, this.advice);
    this.actions = h('div', { class: 'do' });
    this.element = h('li', { class: 'row' },
      this.chooser,
      this.state,
      h('div', { class: 'what' }, this.link, this.meta),
      h('div', { class: 'hops' }, this.bars.map((each) => each.element)),
      this.why,
      this.actions);
  }

  update(row, nowMillis) {
    this.key = row.key;
    setAttribute(this.element, 'data-group', row.group);
    this.updateChooser(row);
    setText(this.state, stateWord(row));
    setText(this.link, row.name || `(${row.kind})`);
    setAttribute(this.link, 'href', transferLink(row.key));
    setAttribute(this.link, 'title', row.name || row.key);
    const age = row.beganEpochMillis > 0 ? ` · ${ago(row.beganEpochMillis, nowMillis)}` : '';
    setText(this.meta, `${row.topic} · ${row.kind === 'file' ? bytes(row.sizeBytes) : row.kind}${age}`);
    const shown = bars(row);
    this.bars.forEach((each, index) => each.update(shown[index], row));
    this.updateReason(row, nowMillis);
    this.updateActions(row);
  }

  updateChooser(row) {
    if (!this.selection) return;
    show(this.chooser, this.selection.isOffered);
    this.box.checked = this.selection.has(row.key);
    setAttribute(this.box, 'aria-label', `Choose ${row.name || row.key}`);
  }

  updateReason(row, nowMillis) {
    const hop = row.group === 'done' || row.group === 'moving' ? undefined : mainReason(row, nowMillis);
    const idle = hop && hop.idleSinceEpochMillis > 0 ? ` (${duration(nowMillis - hop.idleSinceEpochMillis)})` : '';
    setText(this.reason, hop ? `${hop.reason[0].toUpperCase()}${hop.reason.slice(1)}${idle}` : '');
    const advice = hop?.advice || insteadOfRetry(row);
    setText(this.advice, advice ? `${advice}.` : '');
    setAttribute(this.why, 'title', hop ? `${this.reason.textContent}. ${this.advice.textContent}` : this.advice.textContent);
    show(this.why, Boolean(hop || advice));
  }

  updateActions(row) {
    const [action] = actionsFor(row, this.context.facts.session);
    const signature = action ? `${action.path} ${row.key}` : '';
    if (this.actions.dataset.signature === signature) return;
    this.actions.dataset.signature = signature;
    this.actions.replaceChildren(...(action ? [actionButton(action, row, () => this.context.facts.refresh())] : []));
  }
}

/** A labelled bar. It moves smoothly from one value to the next. */
export class Bar {
  constructor() {
    this.name = h('span', { class: 'bar-name' });
    this.fill = h('i', {});
    this.track = h('span', { class: 'bar', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100 }, this.fill);
    this.value = h('span', { class: 'bar-value' });
    this.element = h('div', { class: 'hop' }, this.name, this.track, this.value);
  }

  update(shown, row) {
    show(this.element, Boolean(shown));
    if (!shown) return;
    setText(this.name, shown.name);
    setText(this.value, shown.value);
    // Without a value it stands for a part of a size that is not known yet.
    if (shown.part === null) this.track.removeAttribute('aria-valuenow');
    else setAttribute(this.track, 'aria-valuenow', shown.part);
    setAttribute(this.track, 'aria-label', `${row.name || row.kind} ${shown.name}`);
    setAttribute(this.track, 'data-tone', shown.tone);
    const scale = `scaleX(${(shown.part ?? 100) / 100})`;
    if (this.fill.style.transform !== scale) this.fill.style.transform = scale;
  }
}

/** A card with the first transfers of a group, and a link to the rest. */
export class RowsCard {
  constructor(context, title, filter) {
    this.context = context;
    this.filter = filter;
    this.title = h('h2', {}, title);
    this.list = h('ul', { class: 'rows short' });
    this.more = h('a', { class: 'more', href: `#/transfers/${filter}` });
    this.element = h('section', { class: 'card', 'aria-label': title }, this.title, this.list, this.more);
    this.rows = [];
  }

  update(transfers, total, nowMillis) {
    show(this.element, total > 0);
    while (this.rows.length < transfers.length) {
      const row = new Row(this.context);
      this.rows.push(row);
      this.list.append(row.element);
    }
    this.rows.forEach((row, index) => {
      show(row.element, index < transfers.length);
      if (index < transfers.length) row.update(transfers[index], nowMillis);
    });
    const rest = total - transfers.length;
    show(this.more, rest > 0);
    setText(this.more, `Show all (${plural(rest, 'more', 'more')})`);
  }
}
