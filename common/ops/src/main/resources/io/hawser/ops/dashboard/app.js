// The page: views by the address's hash, the link to the node, and who may act.
import { Model } from './model.js';
import { Facts } from './facts.js';
import { follow } from './live.js';
import { Refused } from './api.js';
import { toast } from './actions.js';
import { askToken, forgetToken, token } from './token.js';
import { fill, h, setText, show } from './dom.js';
import { duration } from './format.js';
import { Overview } from './overview.js';
import { Transfers } from './transfers.js';
import { Subscriptions } from './subscriptions.js';
import { History } from './history.js';
import { Node } from './node.js';
import { Detail } from './detail.js';

const HIDDEN_MILLIS = 30_000;
const VIEWS = [
  { path: '', word: 'Overview', make: (context) => new Overview(context) },
  { path: 'transfers', word: 'Transfers', make: (context, rest) => new Transfers(context, rest) },
  { path: 'subscriptions', word: 'Subscriptions', needs: 'subscriptions', make: (context) => new Subscriptions(context) },
  { path: 'history', word: 'History', needs: 'history', make: (context, rest, parameters) => new History(context, parameters) },
  { path: 'node', word: 'Node', make: (context) => new Node(context) },
  { path: 'transfer', isHidden: true, make: (context, rest) => new Detail(context, rest) },
];

class App {
  constructor() {
    this.model = new Model();
    this.facts = new Facts();
    this.context = { model: this.model, facts: this.facts };
    this.main = document.getElementById('main');
    this.link = document.getElementById('link');
    this.banner = document.getElementById('banner');
    this.unlock = document.getElementById('unlock');
    this.locked = document.getElementById('locked');
    this.lostSince = 0;
    this.askedToken = false;
    this.stopFollowing = null;
  }

  start() {
    addEventListener('hashchange', () => this.route(true));
    document.addEventListener('visibilitychange', () => this.onVisibility());
    this.unlock.addEventListener('click', () => this.onUnlock());
    this.facts.onChange(() => this.onFacts());
    this.model.onTick(() => this.update());
    setInterval(() => this.updateLink(), 1_000);
    this.route(false);
    this.followNode();
    this.askSession();
  }

  /** Learns what this caller may do. A token that the node does not accept is forgotten. */
  async askSession() {
    let isLatest;
    try {
      isLatest = await this.facts.askSession();
    } catch {
      return; // the live stream says why
    }
    if (isLatest && token() && this.facts.session.admittedBy !== 'token') {
      forgetToken();
      toast('The node does not accept this token.', true);
      this.onFacts();
    }
  }

  followNode() {
    this.stopFollowing = follow((name, data) => this.model.take(name, data), (problem) => this.onLink(problem));
  }

  /** A page that nobody sees costs the node nothing. */
  onVisibility() {
    clearTimeout(this.hiding);
    if (document.hidden) {
      this.hiding = setTimeout(() => {
        this.stopFollowing?.();
        this.stopFollowing = null;
      }, HIDDEN_MILLIS);
    } else if (!this.stopFollowing) {
      this.followNode();
    }
  }

  onLink(problem) {
    if (problem === null) {
      if (this.lostSince > 0) this.askSession();
      this.lostSince = 0;
      this.problem = null;
    } else {
      this.lostSince ||= Date.now();
      this.problem = problem;
      if (problem instanceof Refused && problem.status === 401) this.needToken();
    }
    this.updateLink();
  }

  async needToken() {
    if (this.askedToken) return;
    this.askedToken = true;
    forgetToken();
    if (await askToken('This node shows its transfers to callers with its admin token.', '')) this.restart();
    this.askedToken = false;
  }

  async onUnlock() {
    if (token()) {
      forgetToken();
      this.restart();
    } else if (await askToken('With the token you may cancel, retry and steer transfers here.', this.facts.session.tokenFile)) {
      this.restart();
    }
  }

  restart() {
    this.stopFollowing?.();
    this.followNode();
    this.askSession();
  }

  updateLink() {
    const isLost = this.lostSince > 0;
    const isLive = !isLost && this.model.isComplete;
    setText(this.link, isLost ? 'reconnecting' : isLive ? 'live' : 'connecting');
    this.link.dataset.tone = isLost ? 'bad' : isLive ? 'ok' : '';
    document.body.classList.toggle('lost', isLost);
    const says = this.problem instanceof Refused ? this.problem.message : 'The node does not answer';
    fill(this.banner, isLost ? says : '', () => (isLost
      ? [h('div', { class: 'banner', role: 'alert' }, `${says}. What you see may be old. Reconnecting… `, h('span', { id: 'lost-for', 'aria-hidden': 'true' }))]
      : []));
    const since = document.getElementById('lost-for');
    if (since && isLost) setText(since, duration(Date.now() - this.lostSince));
  }

  onFacts() {
    const { session } = this.facts;
    const isOpen = session.mayChange;
    show(this.unlock, isOpen ? Boolean(token()) : session.takesToken);
    fill(this.unlock, String(isOpen), () => [document.createTextNode(isOpen ? 'Lock' : 'Unlock'), h('span', { class: 'wide' }, ' actions')]);
    this.unlock.setAttribute('aria-label', isOpen ? 'Lock actions' : 'Unlock actions');
    show(this.locked, !isOpen && Boolean(session.admittedBy) && !session.takesToken);
    const offered = VIEWS.filter((view) => !view.isHidden && (!view.needs || this.facts.has(view.needs)));
    const views = document.getElementById('views');
    fill(views, offered.map((view) => view.path).join(), () => offered.map((view) => h('li', {}, h('a', { href: `#/${view.path}`, 'data-path': view.path }, view.word))));
    this.markView();
    this.update();
  }

  /** Shows the view that the address names. */
  route(byUser) {
    const [path, query] = (location.hash.startsWith('#/') ? location.hash.slice(2) : '').split('?');
    if (location.hash && !location.hash.startsWith('#/')) return;
    const [name, rest] = path.split('/');
    const view = VIEWS.find((each) => each.path === name) ?? VIEWS[0];
    this.view?.destroy?.();
    this.view = view.make(this.context, rest ? decodeURIComponent(rest) : undefined, new URLSearchParams(query ?? ''));
    this.path = view.path;
    this.main.replaceChildren(this.view.element);
    this.markView();
    this.update();
    if (byUser) {
      scrollTo(0, 0);
      this.main.focus({ preventScroll: true });
    }
  }

  markView() {
    for (const link of document.querySelectorAll('#views a')) {
      if (link.dataset.path === this.path) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const title = `${this.view?.title ?? 'Hawser'} · ${this.model.node || 'Hawser'}`;
    if (document.title !== title) document.title = title;
  }

  update() {
    setText(document.getElementById('node'), this.model.node);
    this.markView();
    this.updateLink();
    this.view?.update();
  }
}

new App().start();
