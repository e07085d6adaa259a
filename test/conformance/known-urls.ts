import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KnownUrls } from '../../src/live/index.ts';
import type { NewPage } from '../../src/live/store/crawl-store.ts';
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
  note(pages: readonly NewPage[]): Promise<void>;
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
const mention = fc.record({ url, depth: fc.nat(1e6), redirects: fc.nat(255) });
const step = fc.oneof(
  { weight: 8, arbitrary: mention },
  { weight: 3, arbitrary: fc.constantFrom<'note' | 'await' | 'again'>('note', 'await', 'again') },
);

/** The suite that all KnownUrls must pass: pages and hosts are numbered as lists would. */
export function describeKnownUrls({ name, make }: UrlsMaker): void {
  describe(name, () => {
    test('pages and hosts are numbered as lists would, whatever is stored already', async () => {
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
        const noted = await make();
        const pages: NewPage[] = [];
        let storedPages = 0;
        let notes: Promise<void>[] = [];
        const note = (): void => {
          notes.push(noted.note(pages.slice(storedPages)));
          storedPages = pages.length;
        };
        for (const one of steps) {
          if (one === 'note') note();
          else if (one === 'await' || one === 'again') {
            if (one === 'again') note();
            await Promise.all(notes);
            notes = [];
            if (one === 'again') await noted.again();
          } else {
            const urls = noted.urls();
            const known = pages.findIndex((page) => page.url === one.url);
            expect(urls.find(one.url)).toBe(known);
            if (known >= 0) continue;
            expect(urls.add(one.url, one.depth, one.redirects)).toBe(pages.length);
            pages.push({ ...one, isElsewhere: urls.isElsewhere(pages.length) });
          }
          expectLists(noted, pages);
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

function expectLists(noted: NotedUrls, pages: readonly NewPage[]): void {
  const { isOwn } = noted;
  const urls = noted.urls();
  const hostOf = (page: NewPage): string => new URL(page.url).host;
  const hosts = [...new Set(pages.map(hostOf))];
  expect([urls.count, urls.hostCount]).toEqual([pages.length, hosts.length]);
  for (const [id, page] of pages.entries()) {
    expect({
      find: urls.find(page.url), url: urls.urlOf(id), depth: urls.depthOf(id), redirects: urls.redirectsOf(id),
      host: urls.hostOf(id), isElsewhere: urls.isElsewhere(id),
    }).toEqual({
      find: id, url: page.url, depth: page.depth, redirects: page.redirects, host: hosts.indexOf(hostOf(page)),
      isElsewhere: !isOwn(hostOf(page)),
    });
  }
  for (const [id, host] of hosts.entries()) {
    expect([urls.hostName(id), urls.findHost(host)]).toEqual([host, id]);
    if (isOwn(host)) expect(urls.pagesOfHost(host)).toBe(pages.filter((page) => hostOf(page) === host).length);
  }
  expect([urls.findHost('none'), urls.pagesOfHost('none'), urls.find('https://none/')]).toEqual([-1, 0, -1]);
}
