// Follows the server-sent events of /live, and connects again when they stop. (EventSource cannot send a token.)
import { openStream, Refused } from './api.js';

const SILENCE_MILLIS = 12_000;
const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 5_000;

/** Calls `onEvent(name, data)`, and `onLink(problem)`: null when events arrive, else why they do not. */
export function follow(onEvent, onLink) {
  let controller = null;
  let stopped = false;

  async function connectForEver() {
    let pause = FIRST_PAUSE_MILLIS;
    while (!stopped) {
      controller = new AbortController();
      const watchdog = new Watchdog(controller);
      try {
        const response = await openStream('live', controller.signal);
        if (!response.ok) throw new Refused(response.status, (await response.text()).trim());
        await readEvents(response.body, (name, data) => {
          watchdog.pat();
          pause = FIRST_PAUSE_MILLIS;
          onEvent(name, data);
          onLink(null);
        });
        throw new Error('the node ended the stream');
      } catch (problem) {
        if (!stopped) onLink(problem);
      } finally {
        watchdog.stop();
      }
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  connectForEver();
  return () => {
    stopped = true;
    controller?.abort();
  };
}

/** Aborts a stream that has become silent: a dead machine does not say so. */
class Watchdog {
  constructor(controller) {
    this.controller = controller;
    this.pat();
  }

  pat() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(), SILENCE_MILLIS);
  }

  stop() {
    clearTimeout(this.timer);
  }
}

async function readEvents(body, onEvent) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) dispatch(block, onEvent);
  }
}

function dispatch(block, onEvent) {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  if (data) onEvent(name, JSON.parse(data));
}
