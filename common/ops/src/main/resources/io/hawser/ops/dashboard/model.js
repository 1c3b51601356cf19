// What the page knows of the transfers, by the events of /live.
import { midnight } from './format.js';

const RATE_WINDOW_MILLIS = 5_000;
const STUCK_MILLIS = 10_000;
const CHART_SAMPLES = 300;
/** So many transfers the node shows in /live. */
export const MOST_ROWS = 10_000;
const FAILED = new Set(['failed', 'dead', 'expired']);
const ENDED = new Set(['delivered', 'cancelled', 'not followed', ...FAILED]);

/** The groups of transfers, in the order of the filters. */
export const GROUPS = ['moving', 'stuck', 'waiting', 'failed', 'done'];

export class Model {
  constructor() {
    this.node = '';
    this.nowMillis = Date.now();
    this.isComplete = false;
    this.rates = { at: [], in: [], out: [] };
    this.rows = new Map();
    this.newest = [];
    this.counts = {};
    this.failedToday = [];
    this.deliveredToday = 0;
    this.listeners = new Set();
    this.arriving = null;
  }

  /** Calls `listener` after each tick; returns how to end that. */
  onTick(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  take(name, data) {
    if (name === 'snapshot') this.begin(data);
    else if (name === 'rows') data.forEach((row) => this.put(row));
    else if (name === 'gone') data.forEach((key) => this.rows.delete(key));
    else if (name === 'tick') this.tick(data);
  }

  begin(data) {
    this.node = data.node;
    this.arriving = this.rows;
    this.rows = new Map();
    if (data.rates.length > 0) {
      this.rates = {
        at: data.rates.map((each) => each[0] / 1000),
        in: data.rates.map((each) => each[1]),
        out: data.rates.map((each) => each[2]),
      };
    }
  }

  put(data) {
    const old = this.rows.get(data.key) ?? this.arriving?.get(data.key);
    const samples = old ? old.samples : [];
    samples.push({ at: Date.now(), durable: data.hops.map((hop) => hop.durableBytes) });
    this.rows.set(data.key, { ...data, samples, rates: old ? old.rates : [], group: '' });
  }

  tick(data) {
    this.arriving = null;
    this.isComplete = true;
    this.nowMillis = data.atEpochMillis;
    this.addRate(data);
    this.classifyAll();
    this.listeners.forEach((listener) => listener(this));
  }

  addRate(data) {
    const at = data.atEpochMillis / 1000;
    const { rates } = this;
    if (rates.at.length > 0 && rates.at[rates.at.length - 1] >= at) return;
    rates.at.push(at);
    rates.in.push(data.inBytesPerSecond);
    rates.out.push(data.outBytesPerSecond);
    if (rates.at.length > CHART_SAMPLES) Object.values(rates).forEach((each) => each.shift());
  }

  classifyAll() {
    const today = midnight();
    const since = Date.now() - RATE_WINDOW_MILLIS;
    const counts = Object.fromEntries(GROUPS.map((group) => [group, 0]));
    this.failedToday = [];
    this.deliveredToday = 0;
    this.newest = [...this.rows.values()].sort(byAge);
    for (const row of this.newest) {
      measure(row, since);
      row.group = group(row, this.nowMillis);
      counts[row.group]++;
      if (row.beganEpochMillis >= today) {
        if (row.group === 'failed') this.failedToday.push(row);
        else if (row.state === 'delivered') this.deliveredToday++;
      }
    }
    this.counts = counts;
  }

  /** The transfers of a group, the newest first. */
  ofGroup(group, most = Infinity) {
    const found = [];
    for (const row of this.newest) {
      if (found.length >= most) break;
      if (row.group === group) found.push(row);
    }
    return found;
  }

  /** The latest rate of the whole node over some seconds. */
  rate(direction) {
    const last = this.rates[direction].slice(-5);
    return last.length === 0 ? 0 : last.reduce((sum, each) => sum + each, 0) / last.length;
  }
}

function id(row) {
  return row.key.slice(row.key.lastIndexOf('-') + 1);
}

function byAge(a, b) {
  const left = id(a);
  const right = id(b);
  return left < right ? 1 : left > right ? -1 : 0;
}

/** Sets the row's rates by hop: what became durable over the last seconds. */
function measure(row, since) {
  if (row.samples.length === 0) return;
  while (row.samples.length > 1 && row.samples[1].at <= since) row.samples.shift();
  const first = row.samples[0];
  const last = row.samples[row.samples.length - 1];
  const moves = last.at > since && last.at > first.at;
  const seconds = Math.max(1, (Date.now() - Math.max(first.at, since)) / 1000);
  row.rates = last.durable.map((bytes, hop) => (moves ? Math.max(0, (bytes - (first.durable[hop] ?? bytes)) / seconds) : 0));
}

function group(row, nowMillis) {
  if (FAILED.has(row.state)) return 'failed';
  if (ENDED.has(row.state)) return 'done';
  if (row.rates.some((rate) => rate > 0)) return 'moving';
  return row.state === 'refused' || stuckHop(row, nowMillis) ? 'stuck' : 'waiting';
}

/** The hop that has held a transfer back for some time; undefined if none has. */
export function stuckHop(row, nowMillis) {
  return row.hops.find((hop) => hop.reason
    && (hop.state === 'refused' || (hop.idleSinceEpochMillis > 0 && nowMillis - hop.idleSinceEpochMillis >= STUCK_MILLIS)));
}

/** The reason to show for a transfer: of the hop that is stuck, else of any. */
export function mainReason(row, nowMillis) {
  return stuckHop(row, nowMillis) ?? row.hops.find((hop) => hop.reason);
}

export const isEnded = (row) => ENDED.has(row.state);
export const isFailed = (row) => FAILED.has(row.state);

/** Whether a node takes it again: a dead letter, or what the broker has refused for good, whose bytes its publisher's node keeps. */
export const canRetry = (row) => row.state === 'dead' || (row.state === 'failed' && row.hops.some((hop) => hop.state === 'refused'));

/** What to do for a failed transfer that no node takes again; empty for others. */
export const insteadOfRetry = (row) => (isFailed(row) && !canRetry(row) ? 'It has ended and cannot be retried: send it again' : '');
