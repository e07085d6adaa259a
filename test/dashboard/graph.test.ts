import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routeOf } from '../../src/views/dashboard/routes.ts';
import { arranged } from '../../src/views/dashboard/views/graph/picture/arrange.ts';
import { mixed, printed, processorColour } from '../../src/views/dashboard/views/graph/picture/colours.ts';
import { graphSvg } from '../../src/views/dashboard/views/graph/picture/graph-svg.ts';
import {
  neighboursCsv, neighboursOf, neighboursSvg, shortened,
} from '../../src/views/dashboard/views/graph/page/neighbours.ts';
import { finder, linksCsv, nodesCsv, rowsOf } from '../../src/views/dashboard/views/graph/node-rows.ts';
import { pictureOf, sentenceOf } from '../../src/views/dashboard/views/graph/picture/picture.ts';
import {
  hasOutgrown, placesOf, unarranged, type Places,
} from '../../src/views/dashboard/views/graph/picture/places.ts';
import type { CrawlGraph, GraphNode, ListedPage } from '../../src/views/service/dashboard/graph/api.ts';

// Goal: picture, table and files say the same of a moment of a run, and no name of a host is more than text.

const hostile = '<script>"&,\n';

function node(id: number, of: Partial<GraphNode> = {}): GraphNode {
  return {
    id, name: `h${id}.example`, processor: id % 3, pages: 10, known: 10, fetched: [0, 5, 10], failures: 0, since: 0,
    linksIn: 1, linksOut: 2, ...of,
  };
}

function graphOf(nodes: readonly GraphNode[], of: Partial<CrawlGraph> = {}): CrawlGraph {
  return {
    nodesAre: 'hosts', hostsAreSynthetic: false, from: 'graph', isOver: true, processors: 3, supersteps: [0, 4, 9],
    nodes, links: [], counts: { known: nodes.length, reachable: nodes.length, links: 0 }, ...of,
  };
}

const link = (from: number, to: number, weight = 1, since = 0): CrawlGraph['links'][number] =>
  ({ from, to, weight, since });
const everywhere: Places = new Map([0, 1, 2, 3].map((id) => [id, { x: id, y: -id }]));
const isFound = (): boolean => true;
const three = graphOf(
  [node(0), node(1, { since: 1, pages: 40, fetched: [0, 10, 10] }), node(2, { since: 2, name: hostile })],
  { links: [link(0, 1, 9, 1), link(1, 2, 2, 2)] },
);

describe('the picture', () => {
  test('shows at each moment what was known by then, filled as far as it was fetched', () => {
    const at = (moment: number) => pictureOf(three, everywhere, printed, { at: moment, chosen: null, isFound });
    expect(at(0).marks.map(({ isShown, filled }) => [isShown, filled])).toEqual([[true, 0], [false, 0], [false, 0]]);
    expect(at(1).marks.map(({ isShown, filled }) => [isShown, filled]))
      .toEqual([[true, 0.5], [true, 0.25], [false, 0.5]]);
    expect([0, 1, 2].map((moment) => at(moment).lines.map(({ isShown }) => isShown)))
      .toEqual([[false, false], [true, false], [true, true]]);
    expect(at(2).marks[1].radius).toBeGreaterThan(at(2).marks[0].radius);
    expect(sentenceOf(three, 1))
      .toBe('Up to superstep 4: 2 hosts in the picture, 15 pages fetched on 2 of them, 30.0\u202f% of their pages within reach.');
  });

  test('leaves the chosen node and its neighbours as they are, and the others faint', () => {
    const { marks, lines } = pictureOf(three, everywhere, printed, { at: 2, chosen: 0, isFound });
    expect(marks.map(({ id, colour, isChosen }) => [colour === processorColour(printed, id % 3), isChosen]))
      .toEqual([[true, true], [true, false], [false, false]]);
    expect(lines.map(({ colour }) => colour === printed.ink)).toEqual([true, false]);
    const found = pictureOf(three, everywhere, printed, { at: 2, chosen: null, isFound: finder('H1') });
    expect(found.marks.map(({ id, colour }) => colour === processorColour(printed, id % 3)))
      .toEqual([false, true, false]);
  });

  test('of many equal nodes leaves room between them', () => {
    const many = Array.from({ length: 500 }, (_, id) => node(id, { pages: 1 }));
    const { marks } = pictureOf(graphOf(many), new Map(), printed, { at: 2, chosen: null, isFound });
    expect(marks.reduce((sum, { radius }) => sum + Math.PI * radius ** 2, 0)).toBeLessThan(0.3 * 600 * 500);
  });

  test('has a colour of its own for each of 24 processors, in any theme', () => {
    const dark = { ...printed, ink: '#e8e6e1', paper: '#14171b' };
    for (const theme of [printed, dark]) {
      const colours = Array.from({ length: 24 }, (_, processor) => processorColour(theme, processor));
      expect(new Set(colours).size).toBe(24);
      expect(colours.every((colour) => /^#[0-9a-f]{6}$/.test(colour))).toBe(true);
    }
    expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080');
  });
});

describe('files', () => {
  test('of the picture are one SVG, in which names are text', () => {
    const picture = pictureOf(three, everywhere, printed, { at: 2, chosen: null, isFound });
    const svg = graphSvg({ title: hostile, sentence: 'x', processors: 40, picture });
    expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(svg).not.toContain('<script');
    expect(svg.match(/<g><title>/g)).toHaveLength(3);
    expect(svg.match(/<path /g)).toHaveLength(2);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    const empty = graphSvg({ title: '', sentence: '', processors: 1, picture: { marks: [], lines: [] } });
    expect(empty).not.toMatch(/NaN|Infinity/);
  });

  test('of the table have the numbers of the moment', () => {
    expect(nodesCsv(three, 1)).toBe(
      'node,name,processor,pages within reach,known,fetched,failures,links in,links out\n' +
      '0,h0.example,0,10,10,5,0,1,2\n1,h1.example,1,40,10,10,0,1,2\n');
    expect(linksCsv(three, 1)).toBe('from,to,links\nh0.example,h1.example,9\n');
    expect(nodesCsv(three, 2)).toContain('2,"<script>""&,\n",2,');
  });
});

test('rows are those of the moment and of the search, in the order that is asked for', () => {
  const names = (by: 'name' | 'pages' | 'fetched', isDown: boolean, at = 2, text = ''): number[] =>
    rowsOf(three, at, finder(text), { by, isDown }).map(({ id }) => id);
  expect(names('pages', true)).toEqual([1, 0, 2]);
  expect(names('fetched', true, 1)).toEqual([1, 0]);
  expect(names('name', false, 1)).toEqual([0, 1]);
  expect(names('name', true, 1)).toEqual([1, 0]);
  expect(names('name', true, 2, ' EXAMPLE h0')).toEqual([0]);
});

describe('places', () => {
  test('are finite, the same each time, and near for linked nodes', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 60 }), (count, links) => {
      const nodes = Array.from({ length: count }, (_, id) => node(id));
      const ends = new Set(Array.from({ length: count < 2 ? 0 : links }, (_, i) =>
        `${i % count} ${(i * 7 + 3) % count}`));
      const graph = { nodes, links: [...ends].map((one) => one.split(' ').map(Number)).map(([a, b]) => link(a, b)) };
      const asked = unarranged(graph, new Map());
      const found = arranged(asked);
      expect(found).toHaveLength(2 * count);
      expect(found.every(Number.isFinite)).toBe(true);
      expect(arranged(unarranged(graph, new Map()))).toEqual(found);
    }), { numRuns: 20 });
    // Two groups, each linked within itself.
    const nodes = Array.from({ length: 20 }, (_, id) => node(id));
    const links = nodes.flatMap((_, a) =>
      nodes.flatMap((_unused, b) => (a < b && a % 2 === b % 2 ? [link(a, b)] : [])));
    const places = placesOf(nodes, arranged(unarranged({ nodes, links }, new Map())));
    const distance = (a: number, b: number): number =>
      Math.hypot(places.get(a)!.x - places.get(b)!.x, places.get(a)!.y - places.get(b)!.y);
    const mean = (isSame: boolean): number => {
      const pairs = nodes.flatMap((_, a) => nodes.map((_unused, b) => [a, b] as const))
        .filter(([a, b]) => a < b && (a % 2 === b % 2) === isSame);
      return pairs.reduce((sum, [a, b]) => sum + distance(a, b), 0) / pairs.length;
    };
    expect(mean(true)).toBeLessThan(0.6 * mean(false));
  });

  test('stay where they were when a graph grows, which is arranged anew only for new nodes or many new links', () => {
    const grown = unarranged(graphOf([node(3), node(7)]), everywhere);
    expect([...grown.places.subarray(0, 2)]).toEqual([3, -3]);
    expect(grown.iterations).toBeLessThan(unarranged(graphOf([node(3)]), new Map()).iterations);
    expect(hasOutgrown(three, null, new Map())).toBe(true);
    expect(hasOutgrown(three, three, everywhere)).toBe(false);
    expect(hasOutgrown(graphOf([...three.nodes, node(8)]), three, everywhere)).toBe(true);
    expect(hasOutgrown({ ...three, links: [0, 1, 2].map(() => link(0, 1)) }, three, everywhere)).toBe(true);
  });
});

describe('the neighbourhood of a page', () => {
  const page = (id: number, name = `a.example/${id}`): ListedPage => ({
    page: id, name, node: 0, processor: 1, state: id % 2 === 0 ? 'fetched' : 'known', superstep: 3, failure: null,
    linksIn: 1, linksOut: 1,
  });
  const around = {
    page: page(0, hostile), from: Array.from({ length: 40 }, (_, i) => page(i)), to: [page(50, hostile)],
  };

  test('has pages that link to it on the left, those that it links to on the right, each in its place', () => {
    for (const width of [300, 1000]) {
      const { dots, middle, height } = neighboursOf(around, width);
      expect(dots.filter(({ side }) => side === 'left')).toHaveLength(40);
      expect(new Set(dots.map(({ x, y }) => `${x} ${y}`)).size).toBe(41);
      expect(dots.every(({ x, y, side }) => (x < middle.x) === (side === 'left') && y > 0 && y < height)).toBe(true);
    }
    expect(neighboursOf({ ...around, from: [], to: [] }, 300).height).toBeGreaterThan(40);
  });

  test('is saved with names as text', () => {
    const svg = neighboursSvg(around, 'x');
    expect(svg).not.toContain('<script');
    expect(svg.match(/<circle /g)).toHaveLength(42);
    expect(neighboursCsv(around).split('\n')[1]).toBe('links to it,0,a.example/0,1,fetched,3,1,1');
  });

  test('shortens long names in the middle', () => {
    expect(shortened('a.example/b', 20)).toBe('a.example/b');
    expect(shortened('www.example.org/a/long/path/index.html', 20)).toBe('www.exa…h/index.html');
    expect(shortened('www.example.org', 2)).toBe('');
  });
});

test('the address of a graph is below that of its run', () => {
  expect(routeOf('#/run/0123/graph')).toEqual({ view: 'graph', id: '0123' });
  expect(routeOf('#/run/a%2Fgraph')).toEqual({ view: 'run', id: 'a/graph' });
  expect(routeOf('#/run/%/graph')).toEqual({ view: 'graph', id: '%' });
});
