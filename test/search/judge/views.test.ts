import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Corpus } from '../../../src/search/index.ts';
import {
  FetchedPart, FetchedSoFar, linkTable, NOT_INDEXED, WithoutField, WithoutLinks,
} from '../../../src/search/judge/index.ts';
import { tries } from '../../sweep.ts';
import { allPages, anyWeb, smallIndex } from './small-web.ts';

// Goal: a view of an index is the index of what is left: made anew of the pages without what the view leaves out.

const words = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'the', 'here', 'gnu'];

function expectSame(view: Corpus, made: Corpus, withStatistics: boolean): void {
  for (const word of words) {
    expect(view.postings(word), word).toEqual(made.postings(word));
    expect(view.anchors(word), word).toEqual(made.anchors(word));
    if (withStatistics) expect(view.frequency(word), word).toEqual(made.frequency(word));
  }
  expect(view.lengths).toEqual(made.lengths);
  if (withStatistics) expect([...view.meanLengths]).toEqual([...made.meanLengths]);
}

describe('views of an index', () => {
  test('without links: the words of these are gone, from its statistics too', () => {
    fc.assert(fc.property(anyWeb, fc.array(fc.nat({ max: 80 })), (web, places) => {
      const pages = smallIndex(web);
      const table = linkTable(pages);
      const removed = Uint32Array.from(new Set(places)).filter((link) => link < table.count).sort();
      // Links within a document are in no table.
      const numbered = web.flatMap(({ links }, page) => links
        .flatMap(([to], link) => (pages.documentOfPage[to] === pages.documentOfPage[page] ? [] : [[page, link]])));
      const gone = new Set([...removed].map((link) => numbered[link].join()));
      const made = smallIndex(web, { hasWords: (page, link) => !gone.has(`${page},${link}`) });
      expectSame(new WithoutLinks(pages, table, removed), made, true);
    }), { numRuns: tries(400) });
  });

  test('without a field', () => {
    fc.assert(fc.property(anyWeb, (web) => {
      const made = smallIndex(web, { withoutTitles: true });
      expectSame(new WithoutField(smallIndex(web), 'title'), made, true);
    }), { numRuns: tries(200) });
  });

  test('after some pages: what was fetched, and the words of links from there, with the statistics of the whole', () => {
    fc.assert(fc.property(anyWeb, fc.infiniteStream(fc.nat()), fc.nat(), (web, draws, end) => {
      const pages = smallIndex(web);
      const order = Uint32Array.from(shuffled(allPages(pages), draws));
      const prefix = end % (order.length + 1);
      const table = linkTable(pages);
      const [part] = new FetchedSoFar(pages, table, new Uint32Array(), false).after(order, [prefix]);
      const fetched = order.subarray(0, prefix);
      const view = new FetchedPart(pages, part);
      const made = smallIndex(web, { isFetched: (page) => fetched.includes(page) });
      for (const word of words) {
        expect(view.postings(word)).toEqual(made.postings(word));
        expect(view.anchors(word)).toEqual(made.anchors(word));
        expect(view.frequency(word)).toEqual(pages.frequency(word));
      }
      // Of documents that are not there the length is never asked for.
      for (const { documents } of words.map((word) => view.anchors(word)))
        for (const document of documents) expect(view.lengths[8][document]).toBe(made.lengths[8][document]);
      expect(view.meanLengths).toEqual(pages.meanLengths);
    }), { numRuns: tries(400) });
  });

  test('views of views: what all of them leave out is gone', () => {
    fc.assert(fc.property(anyWeb, (web) => {
      const pages = smallIndex(web);
      const table = linkTable(pages);
      const removed = Uint32Array.from({ length: table.count }, (_, link) => link);
      const view = new WithoutField(new WithoutLinks(pages, table, removed), 'title');
      expectSame(view, smallIndex(web, { withoutTitles: true, hasWords: () => false }), true);
    }), { numRuns: tries(80) });
  });

  test('pages that the index lacks take a place in the order, and are nothing', () => {
    const pages = smallIndex([
      { url: 'http://a.example/', title: 'ant', text: '', links: [[1, 'bee']] },
      { url: 'http://a.example/1', title: 'bee', text: '', links: [] },
    ]);
    const fetched = new FetchedSoFar(pages, linkTable(pages), new Uint32Array(), true);
    const [none, one, both] = fetched.after(Uint32Array.of(NOT_INDEXED, 1, 0), [1, 2, 3]);
    expect([...none.documents, ...one.documents, ...both.documents]).toEqual([0, 0, 0, 1, 1, 1]);
    expect([...one.anchorLengths, ...both.anchorLengths]).toEqual([0, 0, 0, 1]);
    // One document has all of the rank; of two, the one that is linked to has more.
    expect([...none.pageranks!, ...one.pageranks!]).toEqual([0, 0, 0, 1]);
    expect(both.pageranks![0] + both.pageranks![1]).toBeCloseTo(2, 9);
    expect(both.pageranks![1] / both.pageranks![0]).toBeCloseTo(1.85, 6);
  });
});

function shuffled(pages: number[], draws: Iterator<number>): number[] {
  for (let at = pages.length - 1; at > 0; at--) {
    const other = (draws.next().value as number) % (at + 1);
    [pages[at], pages[other]] = [pages[other], pages[at]];
  }
  return pages;
}
