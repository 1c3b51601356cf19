// One action on many transfers: a dry run says what would change and what is left out, then the user confirms.
import { change } from './api.js';
import { priorityField, problemText } from './actions.js';
import { closeButton, commandBox, openDialog, reasonBefore } from './dialog.js';
import { h, setText, show } from './dom.js';
import { count, plural, shortKey } from './format.js';

/** So many keys fit into one request. */
const KEYS_AT_ONCE = 100;
const SHOWN = 200;
const NAMED = 3;

/**
 * Asks for `action` on many transfers.
 *
 * `choice` is `{ keys }`, or a filter `{ topic, name, state }` that the node applies; `nameOf(key)` is what the user knows a transfer by.
 */
export function steerMany(action, choice, nameOf, onDone) {
  new BulkDialog(action, choice, nameOf, onDone).begin();
}

function requests(choice) {
  if (!choice.keys) return [choice];
  const found = [];
  for (let i = 0; i < choice.keys.length; i += KEYS_AT_ONCE) found.push({ key: choice.keys.slice(i, i + KEYS_AT_ONCE).join(',') });
  return found;
}

class BulkDialog {
  constructor(action, choice, nameOf, onDone) {
    Object.assign(this, { action, choice, nameOf, onDone });
    this.number = action.asksFor ? priorityField() : null;
    this.message = h('p', { role: 'status' });
    this.problem = h('p', { class: 'notice bad', role: 'alert', hidden: true });
    this.report = h('div', {});
    this.confirm = h('button', { type: 'button', class: action.isDangerous ? 'main danger' : 'main', hidden: true, click: () => this.run() });
    this.back = closeButton('Back');
  }

  begin() {
    const { word } = this.action;
    const what = this.choice.keys ? plural(this.choice.keys.length, 'transfer') : 'all transfers that fit';
    this.dialog = openDialog(`${word}: ${what}`, [
      h('p', {}, this.action.text),
      this.choice.keys ? null : h('p', { class: 'subject' }, Object.entries(this.choice).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`).join(', ')),
      this.number?.element, this.message, this.problem, this.report,
      h('div', { class: 'buttons' }, this.back, this.confirm),
    ], () => { this.isClosed = true; }, true);
    this.dialog.querySelector('form').addEventListener('submit', (event) => {
      event.preventDefault(); // Enter confirms, and does not leave the dialog
      if (!this.confirm.hidden && !this.confirm.disabled) this.run();
    });
    this.look();
  }

  /** The dry run. */
  async look() {
    setText(this.message, 'Asking the node what would change…');
    const found = await this.send(true);
    if (!found) return;
    const { changed, skipped } = found;
    setText(this.message, changed.length + skipped.length === 0 ? 'No such transfers.' : changed.length === 0 ? 'Nothing would change.' : 'Nothing is changed yet.');
    this.showReport([[this.action.will, changed]], skipped, 'is');
    setText(this.confirm, `${this.action.word} ${plural(changed.length, 'transfer')}`);
    show(this.confirm, changed.length > 0);
  }

  async run() {
    if (this.number && !this.number.input.reportValidity()) return;
    this.confirm.disabled = true;
    const found = await this.send(false);
    show(this.confirm, false);
    setText(this.back, 'Close');
    this.back.focus();
    if (found) {
      const { changed, skipped } = found;
      const states = [...new Set(changed.map((each) => each.now))];
      const waits = changed.some((each) => each.now === 'cancelling');
      setText(this.message, `Done for ${count(changed.length)} of ${count(changed.length + skipped.length)}.${waits ? ' A far end has yet to say what became of those that are cancelling.' : ''}`);
      this.showReport(states.map((state) => [`now ${state}`, changed.filter((each) => each.now === state)]), skipped, 'was');
    }
    this.onDone();
  }

  /** Sends the requests one by one; null if one failed. */
  async send(dryRun) {
    const all = requests(this.choice);
    const result = { changed: [], skipped: [] };
    const value = this.number ? { [this.action.asksFor]: this.number.input.value } : {};
    try {
      for (const [index, each] of all.entries()) {
        if (this.isClosed) return null;
        if (all.length > 1) setText(this.message, `${dryRun ? 'Asking' : 'Working'}: ${count(index * KEYS_AT_ONCE)} of ${plural(this.choice.keys.length, 'transfer')}…`);
        const { changed, skipped } = await change(this.action.path, { ...each, ...value, dryRun });
        result.changed.push(...changed);
        result.skipped.push(...skipped);
      }
      return result;
    } catch (problem) {
      const done = dryRun || result.changed.length === 0 ? '' : ` Done for ${plural(result.changed.length, 'transfer')} before that.`;
      setText(this.message, '');
      setText(this.problem, problemText(problem) + done);
      show(this.problem, true);
      return null;
    }
  }

  showReport(groups, skipped, verb) {
    this.report.replaceChildren(
      ...groups.filter(([, rows]) => rows.length > 0).map(([words, rows]) => part(`${count(rows.length)} ${words}`, rows.slice(0, SHOWN).map((each) => h('li', {},
        h('span', { class: 'name' }, each.name || shortKey(each.key)),
        h('span', { class: 'meta' }, `${each.topic} · ${verb} ${each.was}`))), rows.length)),
      ...(skipped.length > 0 ? [part(`${count(skipped.length)} left out`, byReason(skipped).slice(0, SHOWN).map((each) => this.skippedItem(each)), 0)] : []));
  }

  skippedItem({ reason, command, keys }) {
    const named = keys.slice(0, NAMED).map((key) => this.nameOf(key)).join(', ');
    const more = keys.length > NAMED ? ` and ${count(keys.length - NAMED)} more` : '';
    return h('li', {}, h('span', { class: 'name' }, named + more), h('span', { class: 'meta' }, reasonBefore(reason, command)), command ? commandBox(command) : null);
  }
}

function part(title, items, all) {
  return h('section', { class: 'report', 'aria-label': title },
    h('h3', {}, title),
    h('ul', { tabindex: 0, 'aria-label': title }, items),
    all > SHOWN ? h('p', { class: 'hint' }, `The first ${SHOWN} are shown.`) : null);
}

/** Those that are left out, joined by why. */
function byReason(skipped) {
  const found = new Map();
  for (const { key, reason, command } of skipped) {
    const each = found.get(reason) ?? { reason, command, keys: [] };
    each.keys.push(key);
    found.set(reason, each);
  }
  return [...found.values()];
}
