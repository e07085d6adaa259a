import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readOwg, writeOwg, writeOwgRows } from '../../../src/graphs/formats/index.ts';
import {
  copying, copyingDefaults, kronecker, type CopyingOptions, checkGraph, type GraphRows, type WebGraph,
} from '../../../src/graphs/graph/index.ts';
import { InputError } from '../../../src/base/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { tries } from '../../sweep.ts';

const { folder } = temporaryFolder();
let files = 0;

async function written(graph: GraphRows): Promise<{ path: string; graph: WebGraph }> {
  const path = join(folder, `${++files}.owg`);
  const arcs = await writeOwgRows(graph, path);
  const back = await readOwg(path);
  expect(back.arcs).toBe(arcs);
  checkGraph(back);
  return { path, graph: back };
}

const settings = (more: Partial<CopyingOptions>): CopyingOptions => ({
  pages: 1000, arcs: 8000, seed: 1, ...copyingDefaults, ...more,
});

describe('a graph reported row by row', () => {
  test('is stored as it would be from memory', async () => {
    const { path, graph } = await written(copying(settings({})));
    const again = join(folder, 'again.owg');
    expect(graph.name).toMatch(/^synthetic /);
    await writeOwg(graph, again);
    expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  });

  test('holds in a row more than is held at once', async () => {
    const pages = 1_200_000;
    const all = Uint32Array.from({ length: pages }, (_, page) => page);
    const { hosts } = kronecker({ scale: 1, degree: 1, seed: 1 });
    const wide: GraphRows = {
      name: 'wide',
      pages,
      hosts: { ...hosts, ofPage: new Uint32Array(pages) },
      *rows() {
        for (let page = 0; page < pages; page++) yield page === 5 ? all : all.subarray(page, page + (page % 2));
      },
    };
    const { graph } = await written(wide);
    expect(graph.arcs).toBe(pages + pages / 2 - 1);
    expect([...graph.outTargets.subarray(0, 3)]).toEqual([1, 3, 0]);
    expect([...graph.outTargets.subarray(-2)]).toEqual([pages - 3, pages - 1]);
  });

  test('that is aborted leaves nothing', async () => {
    const before = readdirSync(folder);
    const controller = new AbortController();
    const stops: GraphRows = {
      ...copying(settings({})),
      *rows() { controller.abort(new Error('enough')); yield* copying(settings({})).rows(); },
    };
    await expect(writeOwgRows(stops, join(folder, 'aborted.owg'), { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(readdirSync(folder)).toEqual(before);
  });
});

test.each([
  ['kronecker', (seed: number) => kronecker({ scale: 8, degree: 8, seed })],
  ['copying', (seed: number) => copying(settings({ seed }))],
])('%s: equal seeds give equal files, others do not', async (_, make) => {
  const bytes = await Promise.all([3, 3, 4].map(async (seed) => readFileSync((await written(make(seed))).path)));
  expect(bytes[0].equals(bytes[1])).toBe(true);
  expect(bytes[0].equals(bytes[2])).toBe(false);
});

/** Pages of in-degree r at index r. */
function inDegrees({ pages, outTargets }: WebGraph): Uint32Array {
  const degrees = new Uint32Array(pages);
  for (const target of outTargets) degrees[target]++;
  return degrees;
}

describe('kronecker', () => {
  test('keeps pages without links, and neither self-loops nor second mentions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(1000),
        async (scale, degree, seed) => {
          const { graph } = await written(kronecker({ scale, degree, seed }));
          expect(graph.pages).toBe(2 ** scale);
          expect(graph.arcs).toBeLessThanOrEqual(2 ** scale * degree);
          const linksOf = (page: number): Uint32Array =>
            graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
          const pages = Array.from({ length: graph.pages }, (_, page) => page);
          expect(pages.filter((page) => linksOf(page).includes(page))).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('out- and in-degrees are those of independent arcs', () => {
    const [scale, degree] = [12, 16];
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
    /**
     * Distinct pages other than itself that a page whose id had k ones links to: the sum over them of 1 - P(no arc).
     */
    const expected = (k: number): number => {
      let sum = 0;
      for (let both = 0; both <= k; both++) {
        for (let other = 0; other <= scale - k; other++) {
          if (both === k && other === 0) continue;
          const arc = 0.05 ** both * 0.19 ** (k - both) * 0.19 ** other * 0.57 ** (scale - k - other);
          sum += choose(k, both) * choose(scale - k, other) * (1 - (1 - arc) ** (2 ** scale * degree));
        }
      }
      return sum;
    };
    const outDegree: number[] = [];
    const inDegree = new Uint32Array(2 ** scale);
    for (const row of kronecker({ scale, degree, seed: 5 }).rows()) {
      outDegree.push(row.length);
      for (const target of row) inDegree[target]++;
    }
    for (const degrees of [Uint32Array.from(outDegree), inDegree]) {
      degrees.sort().reverse();
      // The page without ones, and the pages with one, have far more than others.
      expect(Math.abs(degrees[0] / expected(0) - 1)).toBeLessThan(0.1);
      const next = degrees.subarray(1, 1 + scale).reduce((sum, links) => sum + links, 0) / scale;
      expect(Math.abs(next / expected(1) - 1)).toBeLessThan(0.1);
    }
  });
});

describe('copying', () => {
  test('has the arcs asked for, whatever else is asked for', async () => {
    const shares = fc.constantFrom(0, 0.1, 0.5, 0.9, 1);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(1000),
        shares,
        shares,
        shares,
        shares,
        async (pages, fill, seed, uniform, dangling, selfLoops, withinHosts) => {
          const options = { pages, arcs: 0, seed, uniform, dangling, selfLoops, withinHosts };
          // The message of a refusal names what is possible.
          const message = ((): string => {
            try {
              copying(options);
              return '';
            } catch (error) {
              return error instanceof InputError ? error.message : '';
            }
          })();
          const [, least, most] = /must be (\d+) to (\d+)/.exec(message)?.map(Number) ?? [];
          const arcs = Math.round(least + fill * (most - least));
          const { graph } = await written(copying({ ...options, arcs }));
          expect(graph.arcs).toBe(arcs);
          expect(() => copying({ ...options, arcs: most + 1 })).toThrow(InputError);
        },
      ),
      { numRuns: tries(60) },
    );
  });

  test('has the shares asked for', async () => {
    const { graph } = await written(copying(settings({ pages: 20_000, arcs: 200_000 })));
    const { pages, outOffsets, outTargets, hosts } = graph;
    let [dangling, selfLoops, within] = [0, 0, 0];
    for (let page = 0; page < pages; page++) {
      if (outOffsets[page] === outOffsets[page + 1]) dangling++;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
        if (outTargets[i] === page) selfLoops++;
        if (hosts.ofPage[outTargets[i]] === hosts.ofPage[page]) within++;
      }
    }
    expect(dangling / pages).toBeCloseTo(copyingDefaults.dangling, 1);
    expect(selfLoops / pages).toBeCloseTo(copyingDefaults.selfLoops, 1);
    expect(within / graph.arcs).toBeGreaterThan(0.45);
    expect(within / graph.arcs).toBeLessThan(0.7);
  });

  test.each([0.15, 0.3, 0.5])(
    'with a uniform share of %f, in-degrees have the exponent of the theory',
    async (uniform) => {
      const plain = { dangling: 0, selfLoops: 0, withinHosts: 0 };
      const { graph } = await written(copying({ pages: 100_000, arcs: 800_000, seed: 9, uniform, ...plain }));
      // Maximum likelihood over the degrees of at least 20, as if they were continuous from 19.5 (Clauset, Shalizi and
      // Newman 2009, 3.7).
      const tail = inDegrees(graph).filter((degree) => degree >= 20);
      expect(tail.length).toBeGreaterThan(200);
      const exponent = 1 + tail.length / tail.reduce((sum, degree) => sum + Math.log(degree / 19.5), 0);
      expect(Math.abs(exponent - (1 + 1 / (1 - uniform)))).toBeLessThan(0.4);
    },
  );
});
