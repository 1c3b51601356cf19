// The first view: what moves and how fast, what is stuck and why, what failed today, who is connected, what needs attention.
import { card, h, setText, show } from './dom.js';
import { RateChart } from './chart.js';
import { RowsCard } from './row.js';
import { bytes, count, plural, rate } from './format.js';
import { MOST_ROWS } from './model.js';
import { attention, connectedList } from './node.js';
import { failureTable } from './history.js';
import { subscriptionList } from './subscriptions.js';

const SHOWN = 5;

export class Overview {
  title = 'Overview';

  constructor(context) {
    this.context = context;
    this.tiles = {
      moving: new Tile('Moving', '#/transfers/moving'),
      stuck: new Tile('Stuck', '#/transfers/stuck'),
      failed: new Tile('Failed today', context.facts.has('history') ? '#/history?failed=true' : '#/transfers/failed'),
      owed: new Tile('Owed to far ends', '#/subscriptions'),
      done: new Tile('Delivered today', '#/transfers/done'),
    };
    this.chart = new RateChart();
    this.moving = new RowsCard(context, 'Moving now', 'moving');
    this.stuck = new RowsCard(context, 'Stuck, and why', 'stuck');
    this.waiting = new RowsCard(context, 'Waiting', 'waiting');
    this.failed = new RowsCard(context, 'Failed today', 'failed');
    this.failures = h('div', {});
    this.failureCard = card('Failed today', this.failures);
    this.quiet = h('section', { class: 'card empty' }, h('p', {}, 'Nothing is on its way.'));
    this.attention = h('div', {});
    this.subscriptions = h('div', {});
    this.subscriptionCard = card('Subscriptions', this.subscriptions);
    this.connected = h('div', {});
    this.connectedCard = card('Connected', this.connected);
    this.element = h('div', { class: 'overview' },
      h('h1', { class: 'unseen' }, 'Overview'),
      h('ul', { class: 'tiles', 'aria-label': 'Figures' }, Object.values(this.tiles).map((tile) => tile.element)),
      h('div', { class: 'columns' },
        h('div', {}, this.chart.element, this.moving.element, this.stuck.element, this.failed.element, this.failureCard, this.waiting.element, this.quiet),
        h('div', {}, card('Needs attention', this.attention), this.subscriptionCard, this.connectedCard)));
  }

  destroy() {
    this.chart.destroy();
  }

  update() {
    const { model, facts } = this.context;
    this.updateTiles(model, facts);
    this.chart.update(model);
    const now = model.nowMillis;
    for (const group of ['moving', 'stuck', 'waiting']) {
      this[group].update(model.ofGroup(group, SHOWN), model.counts[group] ?? 0, now);
    }
    const kept = facts.failures;
    this.failed.update(kept ? [] : model.failedToday.slice(0, SHOWN), kept ? 0 : model.failedToday.length, now);
    show(this.failureCard, Boolean(kept) && kept.rows.length > 0);
    if (kept) failureTable(this.failures, kept.rows.slice(0, SHOWN), this.context);
    const { moving = 0, stuck = 0, waiting = 0 } = model.counts;
    show(this.quiet, model.isComplete && moving + stuck + waiting === 0);
    attention(this.attention, facts);
    show(this.subscriptionCard, Boolean(facts.subscriptions));
    if (facts.subscriptions) subscriptionList(this.subscriptions, facts.subscriptions);
    connectedList(this.connected, this.connectedCard, facts);
  }

  updateTiles(model, facts) {
    const { moving = 0, stuck = 0 } = model.counts;
    this.tiles.moving.set(count(moving), `${rate(model.rate('in'))} in · ${rate(model.rate('out'))} out`, '');
    this.tiles.stuck.set(count(stuck), stuck > 0 ? 'see why below' : 'nothing is stuck', stuck > 0 ? 'warn' : '');
    const failures = facts.failures;
    const failed = failures ? failures.rows.length : model.failedToday.length;
    const more = failures?.next ? '+' : '';
    this.tiles.failed.set(count(failed) + more, failed > 0 ? 'see below' : more ? 'none among the latest' : 'no failures', failed > 0 ? 'bad' : '');
    this.tiles.done.set(count(model.deliveredToday), `begun today, of the newest ${count(MOST_ROWS)}`, '');
    const owed = facts.subscriptions;
    show(this.tiles.owed.element, Boolean(owed));
    if (owed) {
      const transfers = owed.reduce((sum, each) => sum + each.pendingTransfers, 0);
      const size = owed.reduce((sum, each) => sum + each.pendingBytes, 0);
      this.tiles.owed.set(bytes(size), plural(transfers, 'transfer'), '');
    }
  }
}

class Tile {
  constructor(title, href) {
    this.value = h('span', { class: 'tile-value' }, '–');
    this.below = h('span', { class: 'tile-below' });
    this.element = h('li', { class: 'tile' }, h('a', { href }, h('span', { class: 'tile-title' }, title), this.value, this.below));
  }

  set(value, below, tone) {
    setText(this.value, value);
    setText(this.below, below);
    this.element.dataset.tone = tone;
  }
}
