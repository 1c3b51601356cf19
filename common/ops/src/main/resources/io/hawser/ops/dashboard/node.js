// The node itself: health, warnings, forecasts, who is connected, quotas.
import { card, fill, h, show } from './dom.js';
import { bytes, count, plural } from './format.js';

/** What needs an operator: warnings and forecasts, or that there are none. */
export function attention(element, facts) {
  const warnings = facts.warnings();
  const forecasts = facts.forecasts?.forecasts ?? [];
  const isKnown = Boolean(facts.health);
  const isWell = facts.health?.ok !== false;
  fill(element, JSON.stringify([warnings, forecasts.map((each) => each.sentence), isKnown, isWell]), () => [
    isWell ? null : h('p', { class: 'notice bad' }, 'This node cannot do its work now.'),
    warnings.map((each) => h('div', { class: 'notice warn' },
      each.subject ? h('strong', {}, each.subject) : null, h('p', {}, each.sentence))),
    forecasts.map((each) => h('div', { class: 'notice info' },
      h('strong', {}, each.resource), h('p', {}, each.sentence))),
    isKnown && isWell && warnings.length + forecasts.length === 0 ? h('p', { class: 'notice good' }, 'All is well.') : null,
    isKnown ? null : h('p', { class: 'hint' }, 'Not known yet.'),
  ]);
}

/** Who is connected to this node, or what it is connected to. */
export function connectedList(element, cardElement, facts) {
  const principals = facts.connected();
  const broker = facts.health?.detail?.broker;
  show(cardElement, Boolean(facts.quotas) || Boolean(broker));
  fill(element, JSON.stringify([principals.map((each) => [each.who, each.sessions, each.openTransfers]), broker]), () => [
    broker ? h('p', {}, 'Broker: ', h('span', { class: broker.startsWith('connected') ? 'badge ok' : 'badge warn' }, broker)) : null,
    facts.quotas && principals.length === 0 ? h('p', { class: 'hint' }, 'Nobody is connected.') : null,
    principals.length > 0
      ? h('ul', { class: 'facts' }, principals.map((each) => h('li', {},
        h('div', { class: 'fact-head' }, h('strong', {}, each.who), h('span', { class: 'badge ok' }, plural(each.sessions, 'session'))),
        h('div', { class: 'meta' }, [
          each.openTransfers > 0 ? `sends ${plural(each.openTransfers, 'transfer')}` : '',
          each.subscriptions > 0 ? plural(each.subscriptions, 'subscription') : '',
        ].filter(Boolean).join(' · ') || 'idle'))))
      : null,
  ]);
}

/** Pages that end only with the window, or need parameters. */
const STREAMS_OR_QUESTIONS = ['/live', '/events', '/why', '/replicas'];

/** The view of the node. */
export class Node {
  title = 'Node';

  constructor(context) {
    this.context = context;
    this.attention = h('div', {});
    this.connected = h('div', {});
    this.connectedCard = card('Connected', this.connected);
    this.detail = h('div', {});
    this.quotas = h('div', {});
    this.quotaCard = card('Quotas', this.quotas);
    this.pages = h('div', {});
    this.element = h('div', {},
      h('div', { class: 'view-head' }, h('h1', {}, 'Node')),
      h('div', { class: 'columns even' },
        h('div', {}, card('Needs attention', this.attention), card('State', this.detail)),
        h('div', {}, this.connectedCard, this.quotaCard, card('Pages for programs', this.pages))));
  }

  update() {
    const { facts } = this.context;
    attention(this.attention, facts);
    connectedList(this.connected, this.connectedCard, facts);
    const detail = Object.entries(facts.health?.detail ?? {}).sort();
    fill(this.detail, JSON.stringify(detail), () => [
      h('dl', { class: 'pairs' }, detail.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, pretty(name, value))])),
    ]);
    this.updateQuotas(facts.quotas?.tenants ?? []);
    const { pages } = facts.session;
    fill(this.pages, JSON.stringify(pages), () => [
      h('ul', { class: 'links' }, pages.filter((path) => !STREAMS_OR_QUESTIONS.includes(path)).map((path) => h('li', {}, h('a', { href: path.slice(1) }, path)))),
    ]);
  }

  updateQuotas(tenants) {
    show(this.quotaCard, tenants.length > 0);
    fill(this.quotas, JSON.stringify(tenants), () => [
      h('ul', { class: 'facts' }, tenants.map((each) => h('li', {},
        h('div', { class: 'fact-head' }, h('strong', {}, each.who || each.topics)),
        h('div', { class: 'meta' }, `${bytes(each.usedBytes + each.reservedBytes)} of ${limit(each.limitBytes, bytes)}, ${count(each.transfers)} of ${limit(each.limitTransfers, count)} transfers`)))),
    ]);
  }
}

const limit = (value, format) => (value === undefined || value < 0 || value > Number.MAX_SAFE_INTEGER / 2 ? 'no limit' : format(value));

const pretty = (name, value) => (/Bytes$/.test(name) && /^[0-9]+$/.test(String(value)) ? bytes(Number(value)) : String(value));
