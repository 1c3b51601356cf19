// What may be done with a transfer, and how it is done: ask, send, say what came of it.
import { change, Refused } from './api.js';
import { closeButton, commandBox, openDialog, reasonBefore } from './dialog.js';
import { h } from './dom.js';
import { canRetry, isEnded } from './model.js';

const active = (row) => !isEnded(row);

const ACTIONS = [
  {
    path: 'transfers/cancel', word: 'Cancel', done: 'Cancelled', will: 'will be cancelled', isDangerous: true, fits: active,
    text: 'Every far end that has not delivered it yet gives it up, and its space is freed.',
  },
  { path: 'transfers/retry', word: 'Retry', done: 'Retried', will: 'will be tried again', fits: canRetry, text: 'It is delivered again where it failed.' },
  {
    path: 'transfers/drop', word: 'Drop', done: 'Dropped', will: 'will be dropped', isDangerous: true, fits: (row) => row.state === 'dead', beside: 'dead/drop',
    text: 'This dead letter is given up; its publisher gets a receipt that says so.',
  },
  { path: 'transfers/hold', word: 'Hold', done: 'Held', will: 'will be held', fits: active, text: 'It stays where it is until you release it.' },
  { path: 'transfers/release', word: 'Release', done: 'Released', will: 'will be released', fits: active, text: 'It continues if it was held.' },
  { path: 'transfers/priority', word: 'Priority', done: 'Changed', will: 'will have another priority', fits: active, asksFor: 'to', text: 'Transfers of a higher priority go first.' },
];

/** The actions that this caller may take on a transfer at this node. */
export function actionsFor(row, session) {
  if (!session.mayChange) return [];
  return ACTIONS.filter((action) => isOffered(action, session) && action.fits(row));
}

/** The actions that this caller may take on many transfers at once. */
export function bulkActions(session) {
  return session.mayChange ? ACTIONS.filter((action) => isOffered(action, session)) : [];
}

/** Whether the node takes it, and what else it must take for it to be of use there: the broker has no dead letters of its own. */
const isOffered = (action, session) => [action.path, action.beside ?? action.path].every((path) => session.actions.includes(`/${path}`));

/** A button for an action. */
export function actionButton(action, row, onDone) {
  return h('button', {
    type: 'button',
    class: action.isDangerous ? 'quiet danger' : 'quiet',
    'aria-label': `${action.word} ${row.name || row.key}`,
    click: () => askAndRun(action, row, onDone),
  }, action.word);
}

async function askAndRun(action, row, onDone) {
  const chosen = await ask(action, row);
  if (!chosen) return;
  try {
    const result = await change(action.path, { key: row.key, ...chosen });
    const skipped = result?.skipped?.[0];
    if (skipped?.command) tellCommand(row, skipped);
    else toast(outcome(action, row, result), false);
  } catch (problem) {
    toast(problemText(problem), true);
  }
  onDone();
}

/** Why a request failed. */
export const problemText = (problem) => (problem instanceof Refused ? problem.message : 'The node does not answer; nothing is known of the action.');

/** What the node says it did, which may be less than was asked: a cancel may come too late. */
function outcome(action, row, result) {
  const problem = result?.skipped?.[0]?.reason ?? result?.problem;
  const name = row.name || row.key;
  if (problem) return `Not done for ${name}: ${problem}`;
  const now = result?.changed?.[0]?.now;
  return now ? `${name} is now ${now}` : `${action.done}: ${name}`;
}

/** Another node can do it: shows the command until the user has read it. */
function tellCommand(row, skipped) {
  openDialog('Not here, but at another node', [
    h('p', { class: 'subject' }, row.name || row.key),
    h('p', {}, reasonBefore(skipped.reason, skipped.command)),
    commandBox(skipped.command),
    h('div', { class: 'buttons' }, closeButton('Close')),
  ]);
}

function ask(action, row) {
  return new Promise((done) => {
    const number = action.asksFor ? priorityField() : null;
    openDialog(`${action.word} this transfer?`, [
      h('p', { class: 'subject' }, row.name || row.key),
      h('p', {}, action.text),
      number?.element,
      h('div', { class: 'buttons' },
        closeButton('Back'),
        h('button', { type: 'submit', value: 'yes', class: action.isDangerous ? 'main danger' : 'main' }, action.word)),
    ], (value) => done(value === 'yes' ? (number ? { [action.asksFor]: number.input.value } : {}) : null));
  });
}

/** Asks for a priority. */
export function priorityField() {
  const input = h('input', { type: 'number', id: 'action-value', min: 1, max: 9, value: 5, required: true });
  return { input, element: h('div', {}, h('label', { for: 'action-value' }, 'Priority, 1 to 9 (the highest)'), input) };
}

/** Says something for some seconds; a screen reader announces it. */
export function toast(text, isProblem) {
  const element = h('div', { class: isProblem ? 'toast problem' : 'toast' }, text);
  document.getElementById('toasts').append(element);
  setTimeout(() => element.remove(), isProblem ? 12_000 : 6_000);
}
