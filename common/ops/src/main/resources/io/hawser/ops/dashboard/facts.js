// What the node tells besides its transfers: health, subscriptions, sessions, forecasts, failures. Asked for while the page is visible.
import { read, readHistory } from './api.js';
import { midnight } from './format.js';

const SOURCES = [
  { name: 'health', path: 'health', everyMillis: 5_000 },
  { name: 'subscriptions', path: 'subscriptions', everyMillis: 3_000 },
  { name: 'forecasts', path: 'forecasts', everyMillis: 15_000 },
  { name: 'quotas', path: 'quotas', everyMillis: 10_000 },
  { name: 'dead', path: 'dead', everyMillis: 10_000 },
  {
    name: 'failures',
    path: 'history',
    everyMillis: 10_000,
    ask: () => readHistory({ failed: true, since: new Date(midnight()).toISOString(), limit: 100 }),
  },
];

export class Facts {
  constructor() {
    this.session = { mayChange: false, takesToken: false, tokenFile: '', pages: [], actions: [] };
    this.listeners = new Set();
    this.due = new Map();
    this.asking = false;
    this.sessionsAsked = 0;
    setInterval(() => this.askWhatIsDue(), 1_000);
  }

  onChange(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  has(page) {
    return this.session.pages.includes(`/${page}`);
  }

  /** Learns what this caller may do, and asks everything again. False if it was asked once more meanwhile, perhaps with another token. */
  async askSession() {
    this.sessionsAsked++;
    const asked = this.sessionsAsked;
    const session = await read('session');
    if (asked !== this.sessionsAsked) return false;
    this.session = session ?? this.session;
    SOURCES.filter((source) => !this.has(source.path)).forEach((source) => delete this[source.name]);
    this.due.clear();
    this.tell();
    await this.askWhatIsDue();
    return asked === this.sessionsAsked;
  }

  /** Asks again at once: something was changed. */
  refresh() {
    this.due.clear();
    return this.askWhatIsDue();
  }

  async askWhatIsDue() {
    if (this.asking || document.hidden) return;
    this.asking = true;
    try {
      for (const source of SOURCES) {
        if (this.has(source.path) && (this.due.get(source.name) ?? 0) <= Date.now()) await this.ask(source);
      }
    } finally {
      this.asking = false;
    }
  }

  async ask(source) {
    this.due.set(source.name, Date.now() + source.everyMillis);
    try {
      this[source.name] = await (source.ask ? source.ask() : read(source.path));
      this.tell();
    } catch {
      // The live stream says that the node does not answer.
    }
  }

  tell() {
    this.listeners.forEach((listener) => listener(this));
  }

  /** The node's warnings as `{subject, sentence}`. */
  warnings() {
    return (this.health?.warnings ?? []).map((each) => ({ subject: each.subject || each.code, sentence: each.sentence }));
  }

  /** Principals with a session at this broker. */
  connected() {
    return (this.quotas?.principals ?? []).filter((each) => each.sessions > 0);
  }
}
