// One transfer's own view: its timeline by hop, what holds it up, its fragments, its receipts.
import { card, fill, h, setText, show } from './dom.js';
import { read } from './api.js';
import { actionButton, actionsFor } from './actions.js';
import { bytes, count, duration, hopName, percent, plural, rate, shortKey, time } from './format.js';
import { asRow } from './history.js';
import { insteadOfRetry, isEnded } from './model.js';
import { stateWord } from './row.js';

const ASK_MILLIS = 2_000;
const SETTLED = new Set(['delivered', 'committed']);
const BROKEN = new Set(['failed', 'dead', 'expired', 'refused']);

export class Detail {
  title = 'Transfer';

  constructor(context, key) {
    this.context = context;
    this.key = key;
    this.heading = h('h1', { class: 'long' }, shortKey(key));
    this.facts = h('div', { class: 'meta' });
    this.advice = h('p', { class: 'hint' });
    this.actions = h('div', { class: 'buttons' });
    this.timeline = h('ol', { class: 'timeline' });
    this.receipts = h('div', {});
    this.receiptCard = card('Receipts', this.receipts);
    this.why = h('div', {});
    this.whyCard = card('What it waits for', this.why);
    this.about = h('div', {});
    this.message = h('p', { class: 'hint', role: 'status' }, 'Loading…');
    this.timelineCard = card('Timeline by hop', this.timeline);
    this.aboutCard = card('About', this.about);
    this.body = h('div', { class: 'columns', hidden: true },
      h('div', {}, this.timelineCard, this.whyCard),
      h('div', {}, this.receiptCard, this.aboutCard));
    this.element = h('div', {},
      h('p', { class: 'back' }, h('a', { href: '#/transfers' }, '‹ All transfers')),
      h('div', { class: 'view-head' }, h('div', {}, this.heading, this.facts, this.advice), this.actions),
      this.message, this.body);
    show(this.whyCard, false);
    this.timer = setInterval(() => this.ask(), ASK_MILLIS);
    this.ask();
  }

  destroy() {
    clearInterval(this.timer);
  }

  update() {
    if (this.transfer) this.render();
  }

  async ask() {
    if (document.hidden) return;
    try {
      const found = await read('transfers', { key: this.key });
      this.transfer = found?.transfers.find((each) => each.key === this.key);
      if (this.context.facts.has('why')) this.reasons = await read('why', { key: this.key }).catch(() => null);
      if (this.context.facts.has('history') && !this.kept) await this.askHistory();
      setText(this.message, this.transfer ? '' : this.kept ? '' : 'This node does not know this transfer any more.');
      show(this.message, !this.transfer && !this.kept);
      this.render();
    } catch (problem) {
      setText(this.message, problem.message);
      show(this.message, true);
    }
  }

  async askHistory() {
    const found = await read('history', { key: this.key, limit: 1 }).catch(() => null);
    this.kept = found?.rows[0];
  }

  render() {
    const { transfer, kept } = this;
    show(this.body, Boolean(transfer || kept));
    if (transfer) this.renderTransfer(transfer);
    else if (kept) this.renderKept(kept);
    this.renderWhy();
  }

  renderTransfer(transfer) {
    const live = this.context.model.rows.get(this.key);
    setText(this.heading, transfer.name || `(${transfer.kind})`);
    setText(this.facts, `${live ? stateWord(live) : transfer.state} · ${transfer.topic} · ${hasBytes(transfer) ? bytes(transfer.sizeBytes) : transfer.kind} · began ${duration(transfer.ageMillis)} ago`);
    const row = { key: this.key, name: transfer.name, state: transfer.state, hops: transfer.hops };
    this.advise(row);
    const offered = actionsFor(row, this.context.facts.session);
    fill(this.actions, offered.map((each) => each.path).join(), () => offered.map((each) => actionButton(each, row, () => this.ask())));
    fill(this.timeline, JSON.stringify([transfer.hops, live?.rates.map(Math.round), this.kept?.hops]), () =>
      transfer.hops.map((hop, index) => this.hop(transfer, hop, live, index)));
    show(this.receiptCard, transfer.receipts.length > 0);
    fill(this.receipts, JSON.stringify(transfer.receipts.map((each) => [each.subscription, each.status, each.reason])), () => [
      h('ul', { class: 'facts' }, transfer.receipts.map((each) => h('li', {},
        h('div', { class: 'fact-head' }, h('strong', {}, each.subscription), h('span', { class: badge(each.status) }, each.status)),
        h('div', { class: 'meta' }, `${time(this.context.model.nowMillis - each.ageMillis)}${each.reason ? ` · ${each.reason}` : ''}`)))),
    ]);
    this.renderAbout([
      ['Key', this.key], ['Kind', transfer.kind], ['Topic', transfer.topic],
      ['Size', size(transfer)],
      ['Fragment size', hasBytes(transfer) && transfer.fragmentBytes > 0 ? bytes(transfer.fragmentBytes) : ''],
      ...keptFacts(this.kept),
    ]);
  }

  /** Says what to do if it failed and cannot be retried. */
  advise(row) {
    const advice = insteadOfRetry(row);
    setText(this.advice, advice ? `${advice}.` : '');
    show(this.advice, advice !== '');
  }

  hop(transfer, hop, live, index) {
    const part = SETTLED.has(hop.state) ? 100 : transfer.sizeBytes < 0 ? null : percent(hop.durableBytes, transfer.sizeBytes);
    const bytesPerSecond = live?.rates[index] ?? 0;
    const ended = this.kept?.hops?.find((each) => each.hop === hop.hop)?.endedAt;
    const track = h('span', {
      class: 'bar', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': part,
      'aria-label': `Part that is durable ${hopName(hop.hop)}`,
      'data-tone': BROKEN.has(hop.state) ? 'failed' : SETTLED.has(hop.state) ? 'done' : bytesPerSecond > 0 ? 'moving' : 'waiting',
    }, h('i', {}));
    track.firstChild.style.transform = `scaleX(${(part ?? 100) / 100})`;
    return h('li', { 'data-state': SETTLED.has(hop.state) ? 'done' : BROKEN.has(hop.state) ? 'failed' : 'open' },
      h('div', { class: 'fact-head' }, h('strong', {}, hopName(hop.hop)), h('span', { class: badge(hop.state) }, hop.state)),
      track,
      h('div', { class: 'meta' }, [
        hasBytes(transfer) ? `${bytes(hop.durableBytes)} durable${transfer.sizeBytes > 0 ? ` of ${bytes(transfer.sizeBytes)}` : ''}` : '',
        fragments(transfer, hop),
        bytesPerSecond > 0 ? rate(bytesPerSecond) : '',
        hop.resentBytes > 0 ? `${bytes(hop.resentBytes)} sent again` : '',
        hop.creditBytes > 0 && !SETTLED.has(hop.state) ? `at most ${bytes(hop.creditBytes)} in flight` : '',
        ended ? `at ${time(ended)}` : '',
      ].filter(Boolean).join(' · ')),
      hop.reason ? h('div', { class: 'why' }, `${hop.reason}${hop.idleMillis >= 2000 ? ` (${duration(hop.idleMillis)})` : ''}`) : null);
  }

  renderKept(kept) {
    this.advise(asRow(kept, this.context.model));
    setText(this.heading, kept.name || `(${kept.kind})`);
    setText(this.facts, `${kept.outcome} · ${kept.topic} · ${bytes(kept.sizeBytes)} · ended ${time(kept.endedAt)}`);
    fill(this.timeline, JSON.stringify(kept.hops ?? []), () => (kept.hops ?? []).map((hop) => h('li', { 'data-state': 'done' },
      h('div', { class: 'fact-head' }, h('strong', {}, hopName(hop.hop)), h('span', { class: 'meta' }, time(hop.endedAt))))));
    show(this.timelineCard, (kept.hops ?? []).length > 0);
    show(this.receiptCard, false);
    this.renderAbout([['Key', this.key], ['Kind', kept.kind], ['Topic', kept.topic], ...keptFacts(kept)]);
  }

  renderAbout(pairs) {
    const known = pairs.filter(([, value]) => value);
    fill(this.about, JSON.stringify(known), () => [
      h('dl', { class: 'pairs' }, known.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    ]);
  }

  renderWhy() {
    const nodes = this.transfer && !isEnded(this.transfer) && this.reasons ? [this.reasons, ...(this.reasons.others ?? [])] : [];
    const hops = nodes.flatMap((node) => node.hops.map((hop) => ({ ...hop, node: node.node }))).sort((a, b) => place(a.hop) - place(b.hop));
    const verdict = hops.length > 0 ? this.reasons.bottleneck : null;
    show(this.whyCard, hops.length > 0);
    fill(this.why, JSON.stringify([hops, verdict]), () => [
      verdict ? h('div', { class: 'notice info' }, h('strong', {}, `The bottleneck: ${hopName(verdict.hop)}`), h('p', {}, verdict.sentence)) : null,
      h('ul', { class: 'facts' }, hops.map((each) => h('li', {},
        h('div', { class: 'fact-head' }, h('strong', {}, hopName(each.hop)), nodes.length > 1 ? h('span', { class: 'meta' }, `${each.node} says`) : null),
        each.windows.map((window) => h('div', { class: 'window' },
          h('div', {}, h('span', { class: 'meta' }, `last ${window.seconds} s: `), window.sentence),
          shares(window.shares ?? [])))))),
    ]);
  }
}

/** The hops in the direction of the transfer. */
const place = (hop) => (hop === 'client->agent-a' ? 0 : hop.startsWith('publisher->') ? 1 : 2);

function shares(all) {
  const shown = all.filter((each) => each.share >= 0.01).sort((a, b) => b.share - a.share);
  return shown.length === 0 ? null : h('ul', { class: 'shares' }, shown.map((each) => {
    const fillElement = h('i', {});
    fillElement.style.transform = `scaleX(${Math.min(1, each.share)})`;
    return h('li', {}, h('span', {}, each.stage), h('span', { class: 'bar', 'aria-hidden': 'true' }, fillElement), h('span', {}, `${Math.round(each.share * 100)} %`));
  }));
}

/** Not a change of a name. */
const hasBytes = (transfer) => transfer.kind === 'file' || transfer.kind === 'message';

function size(transfer) {
  if (!hasBytes(transfer)) return '';
  return transfer.sizeBytes < 0 ? 'not known yet' : `${bytes(transfer.sizeBytes)} (${count(transfer.sizeBytes)} bytes)`;
}

function fragments(transfer, hop) {
  if (transfer.fragmentBytes <= 0 || transfer.sizeBytes <= transfer.fragmentBytes) return '';
  const all = Math.ceil(transfer.sizeBytes / transfer.fragmentBytes);
  const here = Math.min(all, hop.durableBytes >= transfer.sizeBytes ? all : Math.floor(hop.durableBytes / transfer.fragmentBytes));
  return `${count(here)} of ${plural(all, 'fragment')}`;
}

function keptFacts(kept) {
  if (!kept) return [];
  return [
    ['Sent by', [kept.who, kept.from].filter(Boolean).join(' from ')],
    ['Started', kept.startedAt ? time(kept.startedAt) : ''],
    ['Ended', kept.endedAt ? time(kept.endedAt) : ''],
    ['Took', kept.durationMillis > 0 ? duration(kept.durationMillis) : ''],
    ['Rate', kept.bytesPerSecond > 0 ? rate(kept.bytesPerSecond) : ''],
    ['Sent again', kept.resentBytes > 0 ? bytes(kept.resentBytes) : ''],
    ['Outcome', kept.outcome], ['Reason', kept.reason], ['SHA-256 tree', kept.digest],
  ];
}

function badge(state) {
  if (BROKEN.has(state)) return 'badge bad';
  return SETTLED.has(state) || state === 'landed' ? 'badge ok' : 'badge';
}
