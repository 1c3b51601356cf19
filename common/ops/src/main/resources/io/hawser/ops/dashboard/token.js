// The admin token: typed by the user, kept until the tab is closed, sent only to this node.
import { h } from './dom.js';

const NAME = 'hawser-token';
let memory = '';

function stored() {
  try {
    return sessionStorage.getItem(NAME) ?? '';
  } catch {
    return ''; // the browser keeps nothing for this page
  }
}

export const token = () => memory || stored();

function keep(value) {
  memory = value;
  try {
    if (value) sessionStorage.setItem(NAME, value);
    else sessionStorage.removeItem(NAME);
  } catch {
    // it stays in memory
  }
}

export const forgetToken = () => keep('');

export const authorization = () => (token() ? { Authorization: `Bearer ${token()}` } : {});

/** Asks for the token; true if one was typed. `file` is the path of its file, empty if the node has not said it. */
export function askToken(reason, file) {
  return new Promise((done) => {
    const input = h('input', { id: 'token', type: 'password', autocomplete: 'off', required: true, spellcheck: 'false' });
    const form = h('form', { method: 'dialog' },
      h('h2', { id: 'token-title' }, 'Admin token'),
      h('p', {}, reason),
      h('label', { for: 'token' }, `Token: the first line of ${file ? '' : 'the file of '}`, h('code', {}, file || '--admin-token-file')),
      input,
      h('p', { class: 'hint' }, 'It is kept until you close this tab.'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'quiet', click: () => dialog.close('') }, 'Cancel'),
        h('button', { type: 'submit', value: 'yes', class: 'main' }, 'Use token')));
    const dialog = h('dialog', { 'aria-labelledby': 'token-title' }, form);
    dialog.addEventListener('close', () => {
      const typed = dialog.returnValue === 'yes' && input.value.trim() !== '';
      if (typed) keep(input.value.trim());
      dialog.remove();
      done(typed);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
