// The record of what was transferred: search it, and what failed of it.
import { fill, h, setText, show } from './dom.js';
import { readHistory } from './api.js';
import { actionButton, actionsFor } from './actions.js';
import { bytes, duration, rate, time } from './format.js';
import { canRetry, insteadOfRetry, isFailed } from './model.js';
import { transferLink } from './row.js';

const FAILED_OUTCOMES = new Set(['failed', 'expired', 'dead-lettered']);
const HAVE_BYTES = new Set(['file', 'message', 'download']);
const PAGE_ROWS = 100;

/** Failures with their reason and what can be done, for the overview. */
export function failureTable(element, rows, context) {
  const shown = rows.map((each) => ({ each, row: asRow(each, context.model) }));
  const signature = JSON.stringify([shown.map(({ each, row }) => [each.sequence, row.state, canRetry(row)]), context.facts.session.mayChange]);
  fill(element, signature, () => [
    h('ul', { class: 'facts' }, shown.map(({ each, row }) => h('li', {},
      h('div', { class: 'fact-head' },
        link(each),
        h('span', { class: 'badge bad' }, each.outcome),
        ...(each.key && isFailed(row) ? actionsFor(row, context.facts.session) : []).slice(0, 1).map((action) => actionButton(action, row, () => context.facts.refresh()))),
      h('div', { class: 'meta' }, `${each.topic} · ${bytes(each.sizeBytes)} · ${time(each.endedAt)}`),
      each.reason ? h('div', { class: 'why' }, each.reason) : null,
      each.key && insteadOfRetry(row) ? h('div', { class: 'meta' }, `${insteadOfRetry(row)}.`) : null))),
  ]);
}

/** A row of the history as the actions know transfers: as the node shows it now, if it does. */
export function asRow(each, model) {
  const state = each.outcome === 'dead-lettered' ? 'dead' : each.outcome;
  return model.rows.get(each.key) ?? { key: each.key, name: each.name, state, hops: [] };
}

/** The view that searches the history. */
export class History {
  title = 'History';

  constructor(context, parameters) {
    this.context = context;
    this.fields = {
      name: field('text', 'Name', parameters.get('name'), 'Part of it, or **, *, ?'),
      topic: field('text', 'Topic', parameters.get('topic')),
      since: field('datetime-local', 'Since', parameters.get('since')),
      until: field('datetime-local', 'Until', parameters.get('until')),
    };
    this.failed = h('input', { type: 'checkbox', id: 'history-failed', checked: parameters.get('failed') === 'true' });
    this.body = h('tbody', {});
    this.table = h('div', { class: 'card flush scroll', tabindex: 0, role: 'region', 'aria-label': 'Found transfers' },
      h('table', {},
        h('thead', {}, h('tr', {}, ['Ended', 'Name', 'Topic', 'Size', 'Took', 'Rate', 'Outcome', 'By'].map((each) => h('th', { scope: 'col' }, each)))),
        this.body));
    this.message = h('p', { class: 'hint', role: 'status' });
    this.more = h('button', { type: 'button', class: 'quiet', click: () => this.search(this.next) }, 'Show older ones');
    this.element = h('div', {},
      h('div', { class: 'view-head' }, h('h1', {}, 'History')),
      h('form', { class: 'card form', role: 'search', submit: (event) => this.onSubmit(event) },
        Object.values(this.fields).map((each) => each.element),
        h('label', { class: 'check', for: 'history-failed' }, this.failed, 'Only failures'),
        h('button', { type: 'submit', class: 'main' }, 'Search')),
      this.message, this.table, this.more);
    this.search(null);
  }

  update() {
    // It changes only when the user searches.
  }

  onSubmit(event) {
    event.preventDefault();
    this.search(null);
  }

  async search(before) {
    if (!before) this.body.replaceChildren();
    setText(this.message, 'Searching…');
    try {
      const found = await readHistory({
        name: pattern(this.fields.name.input.value.trim()),
        topic: this.fields.topic.input.value.trim(),
        since: instant(this.fields.since.input.value),
        until: instant(this.fields.until.input.value),
        failed: this.failed.checked ? 'true' : '',
        limit: PAGE_ROWS,
        before,
      });
      this.showFound(found);
    } catch (problem) {
      setText(this.message, problem.message);
      show(this.more, false);
    }
  }

  showFound(found) {
    this.body.append(...(found?.rows ?? []).map(tableRow));
    this.next = found?.next ?? null;
    show(this.more, Boolean(this.next));
    const rows = this.body.childElementCount;
    show(this.table, rows > 0);
    setText(this.message, !found ? 'This node keeps no history.' : rows === 0 ? 'Nothing was found.' : `${rows} shown${this.next ? ', there are more' : ''}`);
  }
}

/** A download has no key, and no view of its own. */
function link(each) {
  const text = each.name || `(${each.kind})`;
  return each.key ? h('a', { class: 'name', href: transferLink(each.key) }, text) : h('span', { class: 'name' }, text);
}

function field(type, label, value, hint) {
  const id = `history-${label.toLowerCase()}`;
  const input = h('input', { type, id, value: value ?? '', placeholder: hint, autocomplete: 'off', spellcheck: 'false' });
  return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}

/** A part of a name finds it, too, also below directories; with wildcards the text is the whole pattern. */
const pattern = (text) => (text === '' || /[*?]/.test(text) ? text : `**${text}**`);

const instant = (local) => (local ? new Date(local).toISOString() : '');

function tableRow(each) {
  const isBad = FAILED_OUTCOMES.has(each.outcome);
  return h('tr', {},
    h('td', { class: 'nowrap' }, time(each.endedAt)),
    h('th', { scope: 'row' }, link(each),
      each.reason ? h('div', { class: 'why' }, each.reason) : null),
    h('td', { class: 'topic' }, each.topic),
    h('td', { class: 'nowrap' }, HAVE_BYTES.has(each.kind) ? bytes(each.sizeBytes) : each.kind),
    h('td', { class: 'nowrap' }, each.durationMillis < 1000 ? 'below 1 s' : duration(each.durationMillis)),
    h('td', { class: 'nowrap' }, each.bytesPerSecond > 0 ? rate(each.bytesPerSecond) : ''),
    h('td', {}, h('span', { class: isBad ? 'badge bad' : each.outcome === 'cancelled' ? 'badge' : 'badge ok' }, each.outcome)),
    h('td', {}, [each.who, each.from].filter(Boolean).join(' from ')));
}
