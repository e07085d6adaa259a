import fc from 'fast-check';
import type { LiveSettings } from '../../../src/core/live/index.ts';
import { linking, WrittenSite } from '../../crawl/written-site.ts';
import { accepts } from './accepts.ts';

/** A page, and where it leads: by links, or by a redirect to its first target. */
export interface DrawnPage {
  readonly url: string;
  /** Numbers of pages, none twice. */
  readonly targets: readonly number[];
  readonly isRedirect: boolean;
  /** How long its answer takes, microseconds: what is found first changes with it. */
  readonly delayUs: number;
}

export interface DrawnWeb {
  readonly pages: readonly DrawnPage[];
  /** Numbers of its seed pages. */
  readonly seeds: readonly number[];
}

export interface Reach {
  /** No limit if it is left out. */
  readonly maxDepth?: number | undefined;
  readonly maxRedirects: number;
  /** Everything if it is left out. */
  readonly scope?: LiveSettings['scope'] | undefined;
}

const hosts = ['a.test', 'b.test', 'c.test', 'd.test'];

/** What a page of the path, or a page beside it, is drawn with. */
const drawnPage = fc.record({
  host: fc.constantFrom(...hosts), isRedirect: fc.nat(5).map((drawn) => drawn === 0),
  extra: fc.array(fc.nat(), { maxLength: 1 }),
});

/**
 * Webs in which short paths compete with a long one, and redirects with links. Pages of the long path are quick, and
 * lead to the next; pages beside it are slow, and lead far ahead. Shorter paths are thus found when the long one was
 * followed to the limit.
 *
 * @param slowUs how long the slow pages take.
 */
export function drawnWeb(slowUs = 0): fc.Arbitrary<DrawnWeb> {
  const path = fc.array(drawnPage, { minLength: 3, maxLength: 12, size: 'max' });
  const beside = fc.array(fc.tuple(drawnPage, fc.nat(), fc.nat()), { minLength: 1, maxLength: 5, size: 'max' });
  // Drawn evenly: the smallest webs, which are drawn most often otherwise, have no long paths.
  return fc.noBias(fc.tuple(path, beside, fc.constantFrom([0], [0, 1]))).map(([onPath, slow, seeds]) => {
    const count = onPath.length + slow.length;
    const own = [...onPath, ...slow.map(([page]) => page)].map(({ extra }) => extra.map((page) => page % count));
    onPath.slice(1).forEach((_, i) => own[i].unshift(i + 1));
    slow.forEach(([, from, to], i) => {
      own[from % onPath.length].push(onPath.length + i);
      own[onPath.length + i].unshift(to % onPath.length);
    });
    const pages = own.map((targets, page): DrawnPage => {
      const { host, isRedirect } = page < onPath.length ? onPath[page] : slow[page - onPath.length][0];
      return {
        // A host that is slow would keep the path waiting.
        url: `http://${page < onPath.length ? host : `slow${page}.test`}/${page === 0 ? '' : `p${page}`}`,
        targets: [...new Set(targets)], isRedirect, delayUs: page < onPath.length ? 0 : slowUs,
      };
    });
    return { pages, seeds };
  });
}

const drawnEntry = fc.record({
  extraHops: fc.nat(3),
  kind: fc.constantFrom(
    { host: 'a.test' }, { host: 'b.test' }, { domain: 'c.test' }, { prefix: 'http://d.test/p1' },
    { regex: '^http://[a-d][.]test/p[0-9]*[02468]$' }, { regex: 'slow' },
  ),
}).map(({ kind, extraHops }) => ({ ...kind, extraHops }));

/** A web, and limits for it, also a scope that its seed pages are in. */
export function limited(web: fc.Arbitrary<DrawnWeb>): fc.Arbitrary<{ readonly web: DrawnWeb; readonly reach: Reach }> {
  const limits = fc.record({ maxDepth: fc.option(fc.nat(7), { nil: undefined }), maxRedirects: fc.nat(3) });
  const entries = fc.array(drawnEntry, { minLength: 1, maxLength: 3, size: 'max' });
  return fc.tuple(web, limits, entries, fc.nat(3)).map(([drawn, reach, scope, extraHops]) => ({
    web: drawn, reach: { ...reach, scope: [...scope, ...scopeOfSeeds(drawn, extraHops)] },
  }));
}

/** Entries that accept the seed pages alone. */
export function scopeOfSeeds({ pages, seeds }: DrawnWeb, extraHops: number): NonNullable<Reach['scope']> {
  return seeds.map((page) => ({ regex: `^${pages[page].url.replaceAll('.', '[.]')}$`, extraHops }));
}

/** The web with a seed page more at each of these URLs, which leads nowhere. */
export function withSeeds({ pages, seeds }: DrawnWeb, urls: readonly string[]): DrawnWeb {
  return {
    pages: [...pages, ...urls.map((url) => ({ url, targets: [], isRedirect: false, delayUs: 0 }))],
    seeds: [...seeds, ...urls.map((_, i) => pages.length + i)],
  };
}

/** Whether it redirects: one without a target does not. */
export function redirects({ isRedirect, targets }: DrawnPage): boolean {
  return isRedirect && targets.length > 0;
}

export function targetsOf(page: DrawnPage): readonly number[] {
  return redirects(page) ? page.targets.slice(0, 1) : page.targets;
}

/**
 * By page within reach, the least number of links from a seed page. Redirects count for no depth, and no more than
 * `maxRedirects` are followed in a row. A page in scope has as many links left as its entries allow, one out of scope
 * one less than the page that leads there; between pages out of scope redirects are free. By repetition until nothing
 * changes, in no order that a crawl has.
 */
export function ballOf(
  { pages, seeds }: DrawnWeb, { maxDepth = Infinity, maxRedirects, scope = [] }: Reach,
): ReadonlyMap<number, number> {
  const allowed = pages.map(({ url }) => (scope.length === 0 ? 0 : Math.max(
    -1, ...scope.filter((entry) => accepts(entry, url)).map(({ extraHops }) => extraHops),
  )));
  const depths = new Map(seeds.map((page) => [page, 0]));
  const hops = new Map(seeds.map((page) => [page, 0]));
  /** Links that may be followed beyond the scope, less than 0: as `lower` wants it. */
  const spent = new Map(seeds.map((page) => [page, -allowed[page]]));
  const lower = (values: Map<number, number>, page: number, value: number): boolean => {
    if (value >= (values.get(page) ?? Infinity)) return false;
    values.set(page, value);
    return true;
  };
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [number, page] of pages.entries()) {
      const depth = depths.get(number);
      if (depth === undefined) continue;
      const to = redirects(page)
        ? { depth, hops: hops.get(number)! + 1 } : { depth: depth + 1, hops: 0 };
      const left = -spent.get(number)! - (redirects(page) && allowed[number] < 0 ? 0 : 1);
      if (to.depth > maxDepth || to.hops > maxRedirects) continue;
      for (const target of targetsOf(page)) {
        if (left < 0 && allowed[target] < 0) continue;
        if (lower(spent, target, -(allowed[target] < 0 ? left : allowed[target]))) hasChanged = true;
        if (lower(depths, target, to.depth)) hasChanged = true;
        if (lower(hops, target, to.hops)) hasChanged = true;
      }
    }
  }
  return depths;
}

export function siteOf({ pages }: DrawnWeb): WrittenSite {
  const byUrl = new Map(pages.map((page) => [page.url.slice('http://'.length), page]));
  return new WrittenSite((url) => {
    const page = byUrl.get(url);
    if (page === undefined) return undefined;
    const targets = targetsOf(page).map((target) => pages[target].url);
    const answer = redirects(page) ? { status: 302, headers: ['Location', targets[0]] } : linking(...targets);
    return { ...answer, beginsAfterUs: page.delayUs };
  });
}
