import fc from 'fast-check';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BitReader } from '../../../src/graphs/formats/bvgraph/bit-reader.ts';
import { kernelFor } from '../../../src/graphs/formats/bvgraph/bvgraph-kernel.ts';
import { readProperties } from '../../../src/graphs/formats/bvgraph/bvgraph-properties.ts';
import { BvGraphRows } from '../../../src/graphs/formats/bvgraph/bvgraph-rows.ts';
import { writeBvGraph, type BvGraphOptions } from '../../../src/graphs/formats/index.ts';
import { buildGraph, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { partsOf } from '../../graph/random-graphs.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { weblike } from './weblike.ts';

// Goal: the kernel decodes what the TypeScript decodes, and where that finds a fault, both report the same one at the
// same place.

const { folder } = temporaryFolder();
const basename = join(folder, 'twins');

interface Decoded {
  readonly outOffsets: Uint32Array;
  readonly outTargets: Uint32Array;
  /** Bits read, or the fault. */
  readonly end: number | string;
}

async function decode(by: 'kernel' | 'TypeScript'): Promise<Decoded> {
  const properties = await readProperties(`${basename}.properties`);
  const kernel = by === 'kernel' ? kernelFor(properties) : undefined;
  expect(kernel !== undefined).toBe(by === 'kernel');
  const fd = openSync(`${basename}.graph`, 'r');
  try {
    const bits = new BitReader(fd, readFileSync(`${basename}.graph`).length, (what) => {
      throw new InputError(
        bits.ranOut ? `ran out at node ${rows.page}` : `node ${rows.page}, before bit ${bits.position}: ${what}`,
      );
    }, kernel?.words);
    const rows: BvGraphRows = new BvGraphRows(bits, properties, kernel);
    let end: number | string;
    try {
      rows.decode();
      end = bits.position;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      end = error.message;
    }
    // Of a list that is not sound, any part may have been written.
    const outOffsets = rows.outOffsets.slice(0, rows.page + 1);
    return { outOffsets, outTargets: rows.outTargets.slice(0, outOffsets[rows.page]), end };
  } finally {
    closeSync(fd);
  }
}

/** Lists that the kernel decodes before it leaves one, from page 0 on. */
async function listsOfKernel(): Promise<number> {
  const properties = await readProperties(`${basename}.properties`);
  const kernel = kernelFor(properties)!;
  const fd = openSync(`${basename}.graph`, 'r');
  try {
    const bits = new BitReader(
      fd,
      readFileSync(`${basename}.graph`).length,
      (what) => expect.unreachable(what),
      kernel.words,
    );
    bits.refill();
    return (
      kernel.decode(bits, new Uint32Array(properties.nodes + 1), new Uint32Array(0), 0, properties.arcs).offsets
        .length - 1
    );
  } finally {
    closeSync(fd);
  }
}

async function expectTwins(graph: WebGraph, options: BvGraphOptions): Promise<void> {
  await writeBvGraph(graph, basename, options);
  const [decoded, twin] = [await decode('kernel'), await decode('TypeScript')];
  expect(decoded.end).toBe(twin.end);
  expect(decoded.end).toBeTypeOf('number');
  // `toEqual` takes seconds for a million links: only where there is something to show.
  for (const part of ['outOffsets', 'outTargets'] as const)
    if (Buffer.compare(bytesOf(decoded[part]), bytesOf(twin[part])) !== 0) expect(decoded[part]).toEqual(twin[part]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const grid = fc.record({
  windowSize: fc.constantFrom(0, 1, 2, 7, 70, 1000),
  minIntervalLength: fc.constantFrom(0, 2, 3, 4, 9),
  zetaK: fc.constantFrom(1, 2, 3, 4, 7, 16, 31),
  codes: fc.record({ RESIDUALS: fc.constantFrom('ZETA' as const, 'GAMMA' as const) }),
});

test('they decode the same, and small graphs are the work of the kernel alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 90 }), fc.nat(), grid, async (pages, seed, options) => {
      await expectTwins(weblike(pages, seed), options);
      expect(await listsOfKernel()).toBe(pages);
    }),
    { seed: 8, numRuns: tries(100) },
  );
});

test('with lists that its memory cannot take, with many of them, and with more bits than its buffer has', async () => {
  const draws = new DrawStream(9, 'long lists');
  const pages = 150_000;
  const sources: number[] = [];
  const targets: number[] = [];
  const link = (page: number, target: number): void => {
    sources.push(page);
    targets.push(target);
  };
  const put = (page: number, from: number, to: number): void => {
    for (let target = from; target < to; target++) link(page, target);
  };
  // Too long for it; then as long as half of it, so that the next ones refer to what it does not keep; then over its
  // end.
  for (const page of [90_000, 149_998]) put(page, 0, 140_000);
  for (let page = 100_000; page < 100_004; page++) put(page, page & 1 ? 3 : 70_000, page & 1 ? 66_000 : 136_000);
  // Lists that are no runs: one that is not stored once the next begins a call, and is then referred to.
  for (const page of [120_000, 120_001]) for (let i = 0; i < 66_000; i++) link(page, 2 * i + (page & 1));
  for (let i = 0; i < 5_000; i++) link(120_002, 2 * i);
  for (let page = 0; page < pages; page++) {
    if (page >= 120_000 && page <= 120_002) continue;
    for (let i = draws.uint32(page, 99) % 4; i > 0; i--) link(page, draws.uint32(page, i) % pages);
  }
  const graph = buildGraph({
    name: 'long lists', pages, sources: Uint32Array.from(sources), targets: Uint32Array.from(targets),
  });
  await expectTwins(graph, {});
  expect(readFileSync(`${basename}.graph`).length).toBeGreaterThan(2 ** 18);
  const lists = await listsOfKernel();
  expect(lists).toBeGreaterThan(30_000);
  expect(lists).toBeLessThan(90_000);
});

test('with references so far back that their code is longer than what the kernel looks at', async () => {
  const draws = new DrawStream(10, 'far references');
  const list = Array.from({ length: 20 }, (_, i) => 10 * i + (draws.uint32(i) % 5));
  // Page 65 is as page 0. Page 1, which stands 64 back, the zeros that are looked at, differs in a link.
  const arcs = [0, 1, 65].flatMap((page) =>
    list.map((target, i): [number, number] => [page, page === 1 && i === 9 ? target + 1 : target]),
  );
  await expectTwins(buildGraph(partsOf(200, arcs)), { windowSize: 100 });
  expect(await listsOfKernel()).toBe(65);
});

test('of a damaged file they report the same fault', async () => {
  const draws = new DrawStream(12, 'damaged twins');
  const faults = new Set<string>();
  let sound = 0;
  const variants: BvGraphOptions[] = [
    {}, { codes: { RESIDUALS: 'GAMMA' } }, { minIntervalLength: 2, windowSize: 40, zetaK: 5 },
  ];
  const rounds = isFullSweep ? 120 : 60;
  for (const [variant, options] of variants.entries()) {
    await writeBvGraph(weblike(30, 1), basename, options);
    const bytes = readFileSync(`${basename}.graph`);
    for (let round = 0; round < rounds; round++) {
      const bad = Uint8Array.from(bytes);
      const id = 1000 * variant + round;
      for (let flip = 0; flip <= draws.uint32(id, 0) % 3; flip++) {
        const bit = draws.uint32(id, flip + 1) % (8 * bad.length);
        bad[bit >>> 3] ^= 128 >>> (bit & 7);
      }
      // At times a hole, for the codes of numbers that are too great.
      if (draws.uniform(id, 40) < 0.2) bad.fill(0, draws.uint32(id, 41) % bad.length).fill(255, bad.length - 8);
      writeFileSync(
        `${basename}.graph`,
        draws.uniform(id, 50) < 0.2 ? bad.subarray(0, draws.uint32(id, 60) % bad.length) : bad,
      );
      const decoded = await decode('kernel');
      expect(decoded).toEqual(await decode('TypeScript'));
      if (typeof decoded.end === 'string') faults.add(decoded.end.replace(/-?\d+/g, 'N'));
      else sound++;
    }
  }
  // All sorts came up, or the test shows nothing.
  expect(faults.size).toBeGreaterThan(12);
  expect(sound).toBeGreaterThan(10);
});

test('other codes are left to TypeScript', async () => {
  const others: NonNullable<BvGraphOptions['codes']>[] = [
    { OUTDEGREES: 'DELTA' }, { REFERENCES: 'GAMMA' }, { BLOCK_COUNT: 'UNARY' }, { BLOCKS: 'DELTA' },
    { RESIDUALS: 'NIBBLE' },
  ];
  for (const codes of others) {
    await writeBvGraph(weblike(4, 0), basename, { codes });
    expect(kernelFor(await readProperties(`${basename}.properties`))).toBeUndefined();
  }
});
