// Dialogs, and the command that a user copies from one.
import { h } from './dom.js';

/** Opens a dialog with that heading and calls `onClose(returnValue)` when the user has left it. */
export function openDialog(title, children, onClose, isWide) {
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title', class: isWide ? 'wide-dialog' : null },
    h('form', { method: 'dialog' }, h('h2', { id: 'dialog-title' }, title), ...children));
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose?.(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A button that leaves the dialog it is in. */
export const closeButton = (word) => h('button', { type: 'button', class: 'quiet', click: (event) => event.target.closest('dialog').close('') }, word);

/** A reason as a sentence that leads to its command, which is shown below it. */
export function reasonBefore(reason, command) {
  const text = command ? reason.replace(` '${command}'`, ':') : reason;
  return text[0].toUpperCase() + text.slice(1);
}

/** A command to run elsewhere, with a button that copies it. */
export function commandBox(command) {
  const text = h('code', { class: 'command' }, command);
  const said = h('span', { class: 'meta', role: 'status' });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      said.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(text);
      said.textContent = 'The browser does not let this page copy: it is selected, copy it yourself.';
    }
  };
  return h('div', { class: 'command-box' }, text, h('button', { type: 'button', class: 'quiet', click: copy }, 'Copy command'), said);
}
