import { describe, expect, test } from 'vitest';
import { Network, type NetworkOptions } from '../../src/core/simulation/index.ts';
import { HostWindows } from '../../src/core/simulation/host-windows.ts';
import { calm, flat } from './six-pages.ts';

// Goal: faults come as often as they are asked for, and each is a function of its key alone.

const pages = 4000;
const hosts = 400;
const graph = flat(pages, hosts);
const all = Array.from({ length: pages }, (_, page) => page);
const ties = (knowsRobotsTxt = true) => ({ isResolved: true, knowsRobotsTxt, connectedUntilUs: -Infinity });

/** A count of draws with this chance lies within five deviations: five in ten million do not. */
function expectShare(count: number, draws: number, share: number): void {
  const deviation = Math.sqrt(draws * share * (1 - share));
  expect(count).toBeGreaterThanOrEqual(draws * share - 5 * deviation);
  expect(count).toBeLessThanOrEqual(draws * share + 5 * deviation);
}

function answers(options: Partial<NetworkOptions>, attempt = 0, nowUs = 0): ReturnType<Network['answer']>[] {
  const network = new Network(graph, { ...calm, ...options }, 5);
  return all.map((page) => network.answer({ page, sequence: 0, attempt }, nowUs, ties()));
}

const count = (list: readonly { kind: string }[], kind: string): number =>
  list.filter((one) => one.kind === kind).length;

describe('attempts', () => {
  test.each([
    [0.1, 0, 0, 0], [0, 0.2, 0, 0], [0, 0, 0.05, 0], [0, 0, 0, 0.3], [0.4, 0.3, 0.2, 0.1], [0.01, 0.02, 0.03, 0.9],
  ])(
    'server errors %d, time-outs %d, refused %d, hangs %d',
    (serverErrorShare, timeoutShare, refusedShare, hangShare) => {
      const options = {
        serverErrorShare, timeoutShare, refusedShare, hangShare, hangSeconds: 7, timeoutMs: 500, connectMs: 30,
      };
      for (const attempt of [0, 1]) {
        const list = answers(options, attempt);
        expectShare(count(list, 'serverError'), pages, serverErrorShare);
        expectShare(count(list, 'timeout'), pages, timeoutShare + hangShare);
        expectShare(list.filter(({ beginsAfterUs }) => beginsAfterUs === 7e6).length, pages, hangShare);
        expectShare(count(list, 'refused'), pages, refusedShare);
        const seen = (of: string): Set<string> =>
          new Set(list.flatMap(({ kind, beginsAfterUs, bytes }) => (kind === of ? [`${beginsAfterUs} ${bytes}`] : [])));
        expect(['30000 0']).toEqual(expect.arrayContaining([...seen('refused')]));
        expect(['500000 0', '7000000 0']).toEqual(expect.arrayContaining([...seen('timeout')]));
        expect([`130000 ${calm.errorBytes}`]).toEqual(expect.arrayContaining([...seen('serverError')]));
      }
    },
  );

  test('one attempt says nothing about the next', () => {
    const [first, second] = [0, 1].map((attempt) => answers({ serverErrorShare: 0.3 }, attempt));
    expectShare(
      all.filter((page) => first[page].kind === 'serverError' && second[page].kind === 'serverError').length, pages,
      0.09,
    );
  });

  test('some server errors ask for a pause', () => {
    const errors = answers({ serverErrorShare: 0.5, retryAfterShare: 0.25, retryAfterSeconds: 9 }).filter(
      ({ kind }) => kind === 'serverError',
    );
    expectShare(errors.filter(({ waitUs }) => waitUs === 9e6).length, errors.length, 0.25);
    expect(new Set(errors.map(({ waitUs }) => waitUs))).toEqual(new Set([0, 9e6]));
  });
});

test('a page that is missing is missing at every attempt', () => {
  const [first, later] = [0, 3].map((attempt) => answers({ notFoundShare: 0.2 }, attempt));
  expectShare(count(first, 'notFound'), pages, 0.2);
  expect(later).toEqual(first);
});

test('seed pages are there and allowed', () => {
  const options = { ...calm, notFoundShare: 1, robotsTxtShare: 1, deniedShare: 1 };
  const network = new Network(graph, options, 5, [7, 8]);
  const fetched = all.filter((page) => network.answer({ page, sequence: 0, attempt: 0 }, 0, ties()).kind === 'fetched');
  expect(fetched).toEqual([7, 8]);
});

test('robots.txt: some hosts have one, some of these ask for a delay, some of their pages are denied', () => {
  const options = { ...calm, robotsTxtShare: 0.6, crawlDelayShare: 0.3, crawlDelaySeconds: 8, deniedShare: 0.1 };
  const network = new Network(graph, options, 5);
  const first = all.map((page) => network.answer({ page, sequence: 0, attempt: 0 }, 0, ties(false)));
  const withOne = all.filter((page) => first[page].kind === 'robotsFetched');
  const hostsWithOne = new Set(withOne.map((page) => graph.hosts.ofPage[page]));
  expect(withOne).toHaveLength(hostsWithOne.size * (pages / hosts));
  expectShare(hostsWithOne.size, hosts, 0.6);
  const delayed = new Set(withOne.filter((page) => first[page].waitUs === 8e6).map((page) => graph.hosts.ofPage[page]));
  expectShare(delayed.size, hostsWithOne.size, 0.3);
  const then = withOne.map((page) => network.answer({ page, sequence: 1, attempt: 0 }, 0, ties()));
  expectShare(count(then, 'robotsDenied'), then.length, 0.1);
  expect(new Set(then.map(({ kind }) => kind))).toEqual(new Set(['robotsDenied', 'fetched']));
  for (const [i, page] of withOne.entries())
    expect(then[i].waitUs).toBe(delayed.has(graph.hosts.ofPage[page]) ? 8e6 : 0);
});

describe('windows of time', () => {
  test.each([[0.05, 10], [0.5, 3], [1, 600]])('a host is struck %d of its time, %d s at once', (share, seconds) => {
    const windows = new HostWindows(share, 1e6 * seconds, 5, 'host down');
    let struck = 0;
    const asked = 40;
    for (let host = 0; host < hosts; host++) {
      for (let i = 0; i < asked; i++) if (windows.isStruck(host, 1e6 * seconds * i)) struck++;
    }
    expectShare(struck, hosts * asked, share);
  });

  test('one begins every so many seconds, at moments of the host\'s own, whatever is asked in between', () => {
    const [forwards, backwards] = [0, 1].map(() => new HostWindows(0.5, 1000, 5, 'host slow'));
    const begins = new Set<number>();
    for (let host = 0; host < 50; host++) {
      const moments = Array.from({ length: 8000 }, (_, us) => us);
      const states = moments.map((us) => forwards.isStruck(host, us));
      expect(moments.reverse().map((us) => backwards.isStruck(host, us)).reverse()).toEqual(states);
      const changes = states.flatMap((state, us) => (us > 0 && state !== states[us - 1] ? [us] : []));
      for (const change of changes) expect(change % 1000).toBe(changes[0] % 1000);
      if (changes.length > 0) begins.add(changes[0] % 1000);
    }
    expect(begins.size).toBeGreaterThan(40);
  });

  test('a host that is down refuses, one that is slow takes so many times as long', () => {
    expectShare(count(answers({ downShare: 1, downSeconds: 1 }), 'refused'), pages, 1);
    const [slow] = answers({ slowShare: 1, slowFactor: 4 });
    expect([slow.beginsAfterUs, slow.bytesPerUs]).toEqual([400_000, 0.25]);
  });
});

test('an answer is a function of page, attempt and moment, in whatever order they are asked for', () => {
  const options: NetworkOptions = {
    ...calm, latencySigma: 1, latencyTailShare: 0.1, serverErrorShare: 0.2, refusedShare: 0.1, retryAfterShare: 0.5,
    notFoundShare: 0.1, downShare: 0.1, slowShare: 0.2, robotsTxtShare: 0.5, deniedShare: 0.2,
  };
  const ask = (order: readonly number[]): Map<number, unknown> => {
    const network = new Network(graph, options, 5);
    return new Map(
      order.map((key) => [
        key, network.answer({ page: key % pages, sequence: key, attempt: key % 3 }, 1e6 * key, ties()),
      ]),
    );
  };
  const keys = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 12_000);
  const forwards = ask(keys);
  for (const [key, answer] of ask([...keys].reverse())) expect(answer).toEqual(forwards.get(key));
  const other = new Network(graph, options, 6);
  expect(
    keys.filter(
      (key) => other.answer({ page: key % pages, sequence: 0, attempt: 0 }, 0, ties()).kind === 'serverError',
    ),
  ).not.toEqual(keys.filter((key) => (forwards.get(key) as { kind: string }).kind === 'serverError'));
});
