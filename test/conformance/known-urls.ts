import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ELSEWHERE, type KnownUrls, type NewPage } from '../../src/core/live/index.ts';
import { addedPages } from '../../src/core/live/urls/link-numbers.ts';
import type { NewPages } from '../../src/core/live/store/crawl-store.ts';
import { tries } from '../sweep.ts';

/** URLs that the suite is run on. */
export interface UrlsMaker {
  readonly name: string;
  /** None yet. */
  readonly make: () => Promise<NotedUrls>;
}

export interface NotedUrls {
  /** Those of now: `again` makes others. */
  urls(): KnownUrls;
  readonly isOwn: (host: string) => boolean;
  /** Stores pages, in the order in which they were added; resolves when they are stored. */
  note(pages: NewPages): Promise<void>;
  /** What is stored is read again, by a process that begins. */
  again(): Promise<void>;
  close(): Promise<void>;
}

const url = fc
  .tuple(
    fc.constantFrom('http', 'https'), fc.constantFrom('a', 'b', 'a:8080', 'c.d', 'xn--bcher-kva.de'),
    fc.string({ unit: fc.constantFrom('a', '/', '?', '%2F', '~'), maxLength: 5 }),
  )
  .map(([scheme, host, rest]) => `${scheme}://${host}/${rest}`);
const mention = fc.record({
  url, depth: fc.nat(1e6), redirects: fc.nat(255), hops: fc.option(fc.nat(255), { nil: undefined }),
});
const step = fc.oneof(
  { weight: 8, arbitrary: mention },
  // What is mentioned again may be nearer.
  { weight: 4, arbitrary: mention.map((nearer) => ({ nearer })) },
  { weight: 3, arbitrary: fc.constantFrom<'note' | 'await' | 'again'>('note', 'await', 'again') },
);

/** By id, the pages here, and those of other machines. */
interface Lists {
  readonly here: NewPage[];
  readonly elsewhere: NewPage[];
}

/** The suite that all KnownUrls must pass: pages and hosts are numbered as lists would. */
export function describeKnownUrls({ name, make }: UrlsMaker): void {
  describe(name, () => {
    test('pages and hosts are numbered as lists would, whatever is stored already', async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const noted = await make();
        const lists: Lists = { here: [], elsewhere: [] };
        let added = addedPages(noted.urls());
        let notes: Promise<void>[] = [];
        const note = (): void => {
          notes.push(noted.note(added));
          added = addedPages(noted.urls());
        };
        for (const one of steps) {
          if (one === 'note') note();
          else if (one === 'await' || one === 'again') {
            if (one === 'again') note();
            await Promise.all(notes);
            notes = [];
            if (one === 'again') await noted.again();
          } else if ('nearer' in one) {
            const urls = noted.urls();
            const { url: named, depth, redirects, hops = 0 } = one.nearer;
            const id = urls.find(named);
            if (id < 0) continue;
            const [list, at] = id < ELSEWHERE ? [lists.here, id] : [lists.elsewhere, id - ELSEWHERE];
            const reach = {
              depth: Math.min(depth, list[at].depth), redirects: Math.min(redirects, list[at].redirects),
              hops: Math.min(hops, list[at].hops ?? 0),
            };
            urls.bringNearer(id, reach);
            added.nearer.set(id, reach);
            list[at] = { url: named, ...reach };
          } else {
            const urls = noted.urls();
            const isOwn = noted.isOwn(hostOf(one));
            const list = isOwn ? lists.here : lists.elsewhere;
            const [known, first] = [list.findIndex((page) => page.url === one.url), isOwn ? 0 : ELSEWHERE];
            expect(urls.find(one.url)).toBe(known < 0 ? -1 : first + known);
            if (known >= 0) continue;
            expect(urls.add(one.url, one.depth, one.redirects, one.hops)).toBe(first + list.length);
            list.push(one);
            (isOwn ? added.pages : added.elsewhere).push(one);
          }
          expectLists(noted, lists);
        }
        await Promise.all(notes);
        await noted.close();
      }), { numRuns: tries(160) });
    });

    test('refuses what is not a URL of http or https', async () => {
      const noted = await make();
      for (const text of ['', 'http://a', 'ftp://a/', 'http:///a', 'HTTP://a/'])
        expect(() => noted.urls().add(text, 0, 0)).toThrow(/canonical URL/);
      await noted.close();
    });
  });
}

const hostOf = (page: NewPage): string => new URL(page.url).host;

function expectLists(noted: NotedUrls, { here, elsewhere }: Lists): void {
  const urls = noted.urls();
  const hosts = [...new Set(here.map(hostOf))];
  expect([urls.count, urls.elsewhereCount, urls.hostCount]).toEqual([here.length, elsewhere.length, hosts.length]);
  for (const [first, pages] of [[0, here], [ELSEWHERE, elsewhere]] as const) {
    for (const [i, page] of pages.entries()) {
      const id = first + i;
      expect({
        find: urls.find(page.url), url: urls.urlOf(id), depth: urls.depthOf(id), redirects: urls.redirectsOf(id),
        hops: urls.hopsOf(id), host: urls.hostNameOf(id),
      }).toEqual({
        find: id, url: page.url, depth: page.depth, redirects: page.redirects, hops: page.hops ?? 0,
        host: hostOf(page),
      });
    }
  }
  for (const [id, page] of here.entries()) expect(urls.hostOf(id)).toBe(hosts.indexOf(hostOf(page)));
  for (const [id, host] of hosts.entries()) {
    expect([urls.hostName(id), urls.findHost(host)]).toEqual([host, id]);
    expect(urls.pagesOfHost(host)).toBe(here.filter((page) => hostOf(page) === host).length);
  }
  expect([urls.findHost('none'), urls.pagesOfHost('none'), urls.find('https://none/')]).toEqual([-1, 0, -1]);
}
