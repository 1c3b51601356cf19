// Subscriptions: whether their far end is connected, and what they are owed.
import { fill, h } from './dom.js';
import { bytes, count, duration, plural, rate } from './format.js';

function presence(each) {
  return each.connected
    ? h('span', { class: 'badge ok' }, 'connected')
    : h('span', { class: 'badge warn' }, `away ${each.idleMillis > 0 ? duration(each.idleMillis) : ''}`.trim());
}

function owed(each) {
  return each.pendingTransfers === 0
    ? 'owed nothing'
    : `owed ${bytes(each.pendingBytes)} in ${plural(each.pendingTransfers, 'transfer')}, the oldest for ${duration(each.oldestMillis)}`;
}

const signature = (all) => JSON.stringify(all.map((each) => [
  each.name, each.topic, each.connected, Math.floor(each.idleMillis / 5000), each.pendingTransfers, each.pendingBytes,
  Math.floor(each.oldestMillis / 5000), each.members?.map((member) => [member.name, member.connected, member.transfers])]));

/** The subscriptions in short, for the overview. */
export function subscriptionList(element, all) {
  fill(element, signature(all), () => [
    all.length === 0
      ? h('p', { class: 'hint' }, 'No far end has subscribed. Start one with hawser agent-b --subscribe TOPIC.')
      : h('ul', { class: 'facts' }, all.map((each) => h('li', {},
        h('div', { class: 'fact-head' }, h('strong', {}, each.name), presence(each)),
        h('div', { class: 'meta' }, owed(each))))),
  ]);
}

/** The view of all subscriptions. */
export class Subscriptions {
  title = 'Subscriptions';

  constructor(context) {
    this.context = context;
    this.body = h('div', {});
    this.element = h('div', {}, h('div', { class: 'view-head' }, h('h1', {}, 'Subscriptions')), this.body);
  }

  update() {
    const all = this.context.facts.subscriptions;
    if (all) fill(this.body, signature(all), () => [all.length === 0 ? nothing() : table(all)]);
    else fill(this.body, 'none', () => [h('p', { class: 'card hint' }, 'This node has no subscriptions; the broker has them.')]);
  }
}

const nothing = () => h('p', { class: 'card hint' }, 'No far end has subscribed. Start one with hawser agent-b --subscribe TOPIC.');

function table(all) {
  const head = ['Subscription', 'Topic', 'Far end', 'Owed', 'Oldest', 'Held for it alone', 'Terms'];
  return h('div', { class: 'card flush scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of subscriptions' },
    h('table', {},
      h('thead', {}, h('tr', {}, head.map((each) => h('th', { scope: 'col' }, each)))),
      h('tbody', {}, all.flatMap((each) => [row(each), ...(each.members ?? []).map(member)]))));
}

function row(each) {
  return h('tr', {},
    h('th', { scope: 'row' }, each.name),
    h('td', {}, each.topic),
    h('td', {}, presence(each)),
    h('td', {}, each.pendingTransfers === 0 ? 'nothing' : `${bytes(each.pendingBytes)} in ${count(each.pendingTransfers)}`),
    h('td', {}, each.pendingTransfers === 0 ? '' : duration(each.oldestMillis)),
    h('td', {}, each.heldTransfers === 0 ? '' : bytes(each.heldBytes)),
    h('td', {}, terms(each)));
}

function member(each) {
  return h('tr', { class: 'member' },
    h('th', { scope: 'row' }, `member ${each.name}`),
    h('td', {}),
    h('td', {}, each.connected ? h('span', { class: 'badge ok' }, 'connected') : h('span', { class: 'badge warn' }, `away ${duration(each.awayMillis)}`)),
    h('td', { colspan: 4 }, `has ${plural(each.transfers, 'transfer')} to deliver (${bytes(each.bytes)}); delivered ${count(each.deliveredTransfers)}`));
}

function terms(each) {
  const found = [];
  if (each.deadlineMillis > 0) found.push(`deadline ${duration(each.deadlineMillis)}`);
  if (each.maxRateBytesPerSecond > 0) found.push(`at most ${rate(each.maxRateBytesPerSecond)}`);
  if (each.priority > 0) found.push(`priority ${each.priority}`);
  return found.join(', ');
}
