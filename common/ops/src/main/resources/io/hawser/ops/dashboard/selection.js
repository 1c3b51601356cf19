// The transfers that the user has chosen in a list, and what may be done with them.
import { bulkActions } from './actions.js';
import { steerMany } from './bulk.js';
import { closeButton, openDialog } from './dialog.js';
import { fill, h, setText, show } from './dom.js';
import { count, shortKey } from './format.js';

const STATES = ['receiving', 'committed', 'refused', 'held', 'dead', 'failed'];

export class Selection {
  /** `onChange` is called when the user has chosen other transfers. */
  constructor(context, onChange) {
    this.context = context;
    this.onChange = onChange;
    this.keys = new Set();
    this.found = [];
    this.box = h('input', { type: 'checkbox', id: 'choose-all', change: () => this.chooseFound(this.box.checked) });
    this.label = h('label', { for: 'choose-all' });
    this.head = h('div', { class: 'choose' }, h('span', { class: 'choose-all' }, this.box, this.label),
      h('button', { type: 'button', class: 'quiet', click: () => this.askFilter() }, 'By filter…'));
    this.said = h('span', { class: 'chosen', role: 'status' });
    this.buttons = h('div', { class: 'buttons' });
    this.bar = h('section', { class: 'bulk', 'aria-label': 'Chosen transfers', hidden: true },
      h('div', { class: 'bulk-head' }, this.said, h('button', { type: 'button', class: 'quiet', click: () => this.clear() }, 'Choose none')),
      this.buttons);
  }

  get isOffered() {
    return bulkActions(this.context.facts.session).length > 0;
  }

  has(key) {
    return this.keys.has(key);
  }

  choose(key, isChosen) {
    if (isChosen) this.keys.add(key);
    else this.keys.delete(key);
    this.onChange();
  }

  chooseFound(isChosen) {
    this.found.forEach((row) => (isChosen ? this.keys.add(row.key) : this.keys.delete(row.key)));
    this.onChange();
  }

  clear() {
    this.keys.clear();
    this.box.focus();
    this.onChange();
  }

  /** Shows what can be done; `found` are the transfers in the list. */
  update(found) {
    const { rows } = this.context.model;
    this.found = found;
    const actions = bulkActions(this.context.facts.session);
    if (actions.length === 0) this.keys.clear();
    // While the rows come again after a lost link, those that are not here yet are not gone.
    if (!this.context.model.arriving) for (const key of this.keys) if (!rows.has(key)) this.keys.delete(key);
    const chosen = found.reduce((sum, row) => sum + (this.keys.has(row.key) ? 1 : 0), 0);
    show(this.head, actions.length > 0);
    this.box.checked = found.length > 0 && chosen === found.length;
    this.box.indeterminate = chosen > 0 && chosen < found.length;
    this.box.disabled = found.length === 0;
    setText(this.label, `Choose all ${count(found.length)}`);
    show(this.bar, this.keys.size > 0);
    setText(this.said, this.keys.size > 0 ? `${count(this.keys.size)} chosen` : '');
    fill(this.buttons, actions.map((each) => each.path).join(), () => actions.map((action) => h('button', {
      type: 'button',
      class: action.isDangerous ? 'quiet danger' : 'quiet',
      'aria-label': `${action.word} the chosen transfers`,
      click: () => this.steer(action, { keys: [...this.keys] }),
    }, action.word)));
  }

  steer(action, choice) {
    const { model, facts } = this.context;
    const nameOf = (key) => model.rows.get(key)?.name || shortKey(key);
    steerMany(action, choice, nameOf, () => {
      if (choice.keys) this.keys.clear();
      this.onChange();
      facts.refresh();
    });
  }

  /** Lets the node choose, also among transfers that are not in this list. */
  askFilter() {
    const actions = bulkActions(this.context.facts.session);
    const fields = {
      topic: field('Topic', 'filter-topic', { placeholder: 'any' }),
      name: field('Name', 'filter-name', { placeholder: 'any; * within a directory, ** across' }),
      state: field('State', 'filter-state', { placeholder: 'any', list: 'filter-states' }),
    };
    const said = h('p', { class: 'hint', role: 'alert' });
    const run = (action) => {
      const choice = Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, each.input.value.trim()]));
      if (Object.values(choice).every((each) => each === '')) {
        setText(said, 'Say a topic, a name or a state.');
        fields.topic.input.focus();
        return;
      }
      dialog.close('');
      this.steer(action, choice);
    };
    const dialog = openDialog('Choose by topic, name or state', [
      h('p', {}, 'The node chooses all transfers that fit each field. It says first what would change.'),
      ...Object.values(fields).map((each) => each.element),
      h('datalist', { id: 'filter-states' }, STATES.map((each) => h('option', { value: each }))),
      said,
      h('div', { class: 'buttons' }, actions.map((action) => h('button', {
        type: 'button', class: action.isDangerous ? 'quiet danger' : 'quiet', click: () => run(action),
      }, `${action.word}…`))),
      h('div', { class: 'buttons' }, closeButton('Back')),
    ], null, true);
  }
}

function field(label, id, attributes) {
  const input = h('input', { id, autocomplete: 'off', spellcheck: 'false', ...attributes });
  return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}
