// Requests to this node. Paths are relative, so the page works below any path of a reverse proxy.
import { authorization } from './token.js';

/** An answer other than success. */
export class Refused extends Error {
  constructor(status, text) {
    super(text || `the node answered ${status}`);
    this.status = status;
  }
}

function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function answer(response) {
  const text = await response.text();
  const isJson = (response.headers.get('Content-Type') ?? '').startsWith('application/json');
  if (!response.ok && !(isJson && response.status === 503)) throw new Refused(response.status, text.trim());
  return isJson ? JSON.parse(text) : text;
}

/** The JSON of a page; null if this node does not have the page, or the caller may not see it. */
export async function read(path, parameters = {}) {
  const response = await fetch(path + query(parameters), { headers: authorization(), cache: 'no-store' });
  if (response.status === 404 || response.status === 403) return null;
  return answer(response);
}

/** So many pages of the history are asked for at most until there are failures to show. */
const MOST_PAGES = 10;

/**
 * A page of the history. Its failures are without what was cancelled, as somebody wished; the node's `failed` also means that. So it may take
 * several of the node's pages.
 */
export async function readHistory(parameters) {
  const rows = [];
  let { before } = parameters;
  for (let page = 1; ; page++) {
    const found = await read('history', { ...parameters, before });
    if (!found) return null;
    rows.push(...found.rows.filter((each) => !(parameters.failed && each.outcome === 'cancelled')));
    before = found.next;
    if (!before || page === MOST_PAGES || rows.length >= parameters.limit / 2) return { rows, next: before };
  }
}

/** Changes something: a POST that only this page, with a token or a certificate, may send. */
export async function change(path, parameters) {
  const response = await fetch(path + query(parameters), {
    method: 'POST',
    headers: { ...authorization(), 'X-Hawser-Action': 'page' },
  });
  return answer(response);
}

export function openStream(path, signal) {
  return fetch(path, { headers: authorization(), cache: 'no-store', signal });
}
