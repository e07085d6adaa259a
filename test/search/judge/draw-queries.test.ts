import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  drawQueries, isUrl, Judge, linkTable, type DrawnQueries, type QuerySetName,
} from '../../../src/search/judge/index.ts';
import { wordsOf } from '../../../src/search/index.ts';
import { tries } from '../../sweep.ts';
import { anyWeb, smallIndex, type SmallPage } from './small-web.ts';

// Goal: known items are drawn by the seed alone, describe what they lead to, and are not in what is searched for them.

const drawnFrom = (web: readonly SmallPage[], seed: number, maxQueries = 100): DrawnQueries => {
  const pages = smallIndex(web);
  return drawQueries(pages, linkTable(pages), { seed, maxQueries });
};

const page = (url: string, text: string, ...links: SmallPage['links'][number][]): SmallPage =>
  ({ url, title: text, text, links });

const both = (drawn: DrawnQueries, set: QuerySetName): [string, readonly number[]][] =>
  [...drawn.sets[set].tune, ...drawn.sets[set].judge]
    .map(({ words, targets }): [string, readonly number[]] => [words.join(' '), targets]).sort();

/** Twenty pages on which a text can be rare, and what each kind of text leads to. */
const web: SmallPage[] = [
  page('http://a.example/', 'ant'),
  page('http://a.example/1', 'bee', [0, 'the ant'], [0, 'The  Ant'], [0, 'here'], [2, 'cat'], [3, 'cat'], [3, 'cat']),
  page('http://a.example/2', 'cat', [3, 'www.a.example/3'], [1, 'menu'], [0, ''], [0, 'ant '.repeat(33)]),
  page('http://a.example/3', 'dog', [1, 'menu'], [2, 'cat']),
  ...Array.from({ length: 16 }, (_, i) => page(`http://a.example/${4 + i}`, `p${i}`)),
];

describe('queries drawn from an index', () => {
  test('are texts of links to one document; others are left out, with their number', () => {
    const drawn = drawnFrom(web, 1);
    expect(both(drawn, 'uniform')).toEqual([['the ant', [0]]]);
    expect(both(drawn, 'byLinks')).toEqual([['the ant', [0]]]);
    expect(drawn.leftOut).toMatchObject({ urls: 1, long: 1, stopWords: 1, navigation: 2, severalTargets: 0 });
  });

  test('with several targets, are worth the share of links that each has', () => {
    const rare = web.map((one, i) => (i === 3 ? { ...one, links: [] } : one));
    const drawn = drawnFrom(rare, 1);
    const [query] = [...drawn.sets.ambiguous.tune, ...drawn.sets.ambiguous.judge];
    expect(query).toEqual({ words: ['cat'], targets: [2, 3], gains: [1 / 3, 2 / 3] });
    expect(drawn.leftOut.severalTargets).toBe(1);
  });

  test('of titles, are titles that one document has', () => {
    const more = [{ ...page('http://b.example/', 'x'), title: 'bee' }, page('http://b.example/1', 'the')];
    const titles = both(drawnFrom([...web, ...more], 1), 'titles');
    expect(titles.map(([words]) => words)).not.toContain('bee');
    expect(titles.map(([words]) => words)).not.toContain('the');
    expect(titles).toHaveLength(19);
  });

  test('are the same for one seed, whatever their number, and others for another', () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      page(`http://h${i}.example/`, `p${i}`, [(i + 1) % 200, `q${i}`]));
    const [few, all] = [drawnFrom(many, 5, 20), drawnFrom(many, 5, 1000)];
    for (const set of ['uniform', 'byLinks', 'titles'] as const) {
      expect(both(few, set)).toHaveLength(20);
      for (const half of ['tune', 'judge'] as const) {
        const ofAll = all.sets[set][half].slice(0, few.sets[set][half].length);
        expect(few.sets[set][half]).toEqual(ofAll);
      }
      expect(both(drawnFrom(many, 5, 20), set)).toEqual(both(few, set));
      expect(both(drawnFrom(many, 6, 20), set)).not.toEqual(both(few, set));
      expect(both(all, set)).toHaveLength(200);
    }
    // A document is tuned with in all sets, or judged by in all.
    const tuned = (set: 'uniform' | 'byLinks' | 'titles'): number[] =>
      all.sets[set].tune.flatMap(({ targets }) => targets).sort((a, b) => a - b);
    expect(tuned('byLinks')).toEqual(tuned('uniform'));
    expect(tuned('titles')).toEqual(tuned('uniform'));
    expect(tuned('uniform').length).toBeGreaterThan(70);
    expect(tuned('uniform').length).toBeLessThan(130);
  });

  test('by links, are drawn in proportion to the pages that link to a document', () => {
    // Three hosts link to the first document, one to the second; links repeated on a page count once.
    const linked: SmallPage[] = [
      page('http://a.example/', 'ant'), page('http://b.example/', 'bee'),
      page('http://c.example/', 'c', [0, 'one'], [1, 'two'], [1, 'two'], [1, 'two']),
      page('http://d.example/', 'd', [0, 'three']), page('http://e.example/', 'e', [0, 'four']),
    ];
    const seeds = Array.from({ length: 2000 }, (_, seed) => seed);
    const share = (set: 'uniform' | 'byLinks'): number =>
      seeds.filter((seed) => both(drawnFrom(linked, seed, 1), set)[0][1][0] === 0).length / seeds.length;
    // Four standard deviations.
    expect(Math.abs(share('byLinks') - 0.75)).toBeLessThan(0.04);
    expect(Math.abs(share('uniform') - 0.5)).toBeLessThan(0.045);
  });

  test('are in no link to their target: every occurrence is removed', () => {
    fc.assert(fc.property(anyWeb, fc.nat(), (any, seed) => {
      const pages = smallIndex(any);
      const judge = new Judge(pages, { seed, maxQueries: 3 });
      const queries = (['uniform', 'byLinks', 'ambiguous'] as const)
        .flatMap((set) => [...judge.drawn.sets[set].tune, ...judge.drawn.sets[set].judge]);
      const left = smallIndex(any, {
        hasWords: (source, link) => {
          const [to, text] = any[source].links[link];
          return !queries.some(({ words, targets }) =>
            targets.includes(pages.documentOfPage[to]) && wordsOf(text).join(' ') === words.join(' '));
        },
      });
      for (const word of ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'the', 'here']) {
        expect(judge.corpus.anchors(word)).toEqual(left.anchors(word));
        expect(judge.corpus.frequency(word)).toEqual(left.frequency(word));
      }
      expect(judge.corpus.lengths).toEqual(left.lengths);
    }), { numRuns: tries(300) });
  });

  test.each([
    ['https://a.example/x', '', true], ['www.a.example', '', true], ['a.example', 'http://a.example/x', true],
    ['a.example/x/', 'http://a.example/x', true], ['Node.js', 'https://nodejs.org/', false],
    ['see https://a.example/', '', false], ['x', 'http://x/', false], ['.', 'http://a.example/', false],
  ])('%j is a URL, of %j: %j', (text, target, is) => {
    expect(isUrl(text, target)).toBe(is);
  });
});
