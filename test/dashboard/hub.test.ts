import { describe, expect, test } from 'vitest';
import { Hub, type Listener, type Tab } from '../../src/views/dashboard/live/hub.ts';
import type { ToTab } from '../../src/views/dashboard/live/messages.ts';

/** A hub whose connections and time the test makes. */
function made() {
  const waiting: { call: () => void; atMs: number }[] = [];
  const sources: { url: string; listener: Listener; isClosed: boolean }[] = [];
  let nowMs = 0;
  const hub = new Hub({
    open: (url, listener) => {
      const source = { url, listener, isClosed: false };
      sources.push(source);
      return { close: () => { source.isClosed = true; } };
    },
    later: (call, ms) => waiting.push({ call, atMs: nowMs + ms }),
  });
  const pass = (ms: number): void => {
    const end = nowMs + ms;
    for (;;) {
      const next = waiting.filter(({ atMs }) => atMs <= end).sort((a, b) => a.atMs - b.atMs).at(0);
      if (next === undefined) break;
      waiting.splice(waiting.indexOf(next), 1);
      nowMs = next.atMs;
      next.call();
    }
    nowMs = end;
  };
  const tab = (): Tab & { readonly got: ToTab[] } => {
    const got: ToTab[] = [];
    return { got, send: (message) => got.push(message) };
  };
  const open = () => sources.filter(({ isClosed }) => !isClosed);
  return { hub, pass, tab, sources, open };
}

const event = (id: string): string => JSON.stringify({ id, message: { is: 'feed', lines: [] } });

// Goal: however many tabs there are, one connection is open, and each tab gets its runs whole.
describe('the hub of all tabs', () => {
  test('one connection for the union; each tab gets its own runs', () => {
    const { hub, pass, tab, open } = made();
    const [one, two] = [tab(), tab()];
    hub.hear(one, { is: 'watch', runs: ['a'] });
    hub.hear(two, { is: 'watch', runs: ['b/c'] });
    pass(100);
    expect(open().map(({ url }) => url)).toEqual(['/api/events?run=a&run=b%2Fc']);
    const [{ listener }] = open();
    listener.opened();
    listener.message(event('a'));
    listener.runs();
    expect(one.got.map(({ is }) => is)).toEqual(['connected', 'event', 'runs']);
    expect(two.got.map(({ is }) => is)).toEqual(['connected', 'runs']);
  });

  test('a tab that begins to watch a known run opens anew: its first events are all there is', () => {
    const { hub, pass, tab, sources, open } = made();
    const [one, two] = [tab(), tab()];
    hub.hear(one, { is: 'watch', runs: ['a'] });
    pass(100);
    open()[0].listener.opened();
    hub.hear(two, { is: 'watch', runs: ['a'] });
    expect(two.got).toEqual([{ is: 'connected', yes: true }]);
    pass(100);
    expect([sources.length, open().length]).toEqual([2, 1]);
    // The same again changes nothing.
    hub.hear(two, { is: 'watch', runs: ['a'] });
    pass(100);
    expect(sources).toHaveLength(2);
    hub.hear(one, { is: 'bye' });
    hub.hear(two, { is: 'watch', runs: [] });
    pass(100);
    expect(open().map(({ url }) => url)).toEqual(['/api/events']);
  });

  test('says once that the server is gone, tries again, and says that it is back', () => {
    const { hub, pass, tab, sources, open } = made();
    const one = tab();
    hub.hear(one, { is: 'watch', runs: [] });
    pass(100);
    open()[0].listener.failed(false);
    open()[0].listener.failed(true);
    expect(one.got).toEqual([{ is: 'connected', yes: false }]);
    pass(3000);
    expect([sources.length, open().length]).toEqual([2, 1]);
    open()[0].listener.opened();
    expect(one.got.at(-1)).toEqual({ is: 'connected', yes: true });
  });

  test('a tab that no longer answers is dropped with its runs; one that answers stays; the last one closes all', () => {
    const { hub, pass, tab, open } = made();
    const [silent, awake] = [tab(), tab()];
    awake.send = (message) => {
      if (message.is === 'ping') hub.hear(awake, { is: 'pong' });
    };
    hub.hear(silent, { is: 'watch', runs: ['a'] });
    hub.hear(awake, { is: 'watch', runs: ['b'] });
    pass(60_000);
    expect(hub.watched).toEqual(['b']);
    expect(open().map(({ url }) => url)).toEqual(['/api/events?run=b']);
    // It wakes: it watches again.
    hub.hear(silent, { is: 'watch', runs: ['a'] });
    expect(hub.watched).toEqual(['a', 'b']);
    hub.hear(silent, { is: 'bye' });
    hub.hear(awake, { is: 'bye' });
    pass(100);
    expect(open()).toEqual([]);
  });
});
