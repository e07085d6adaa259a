import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  PartialGraph, PreparedFile, preparedPath, simulate, simulateOn, WholeGraph, writePrepared,
} from '../../../src/core/engine/index.ts';
import { writeOwg } from '../../../src/graphs/formats/index.ts';
import { linksOf, prepare, type WebGraph } from '../../../src/graphs/graph/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { docsWeb, docsWebPrepared } from '../../docs-web.ts';
import { isFullSweep } from '../../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../../temporary-folder.ts';

// Goal: what a node computes from its part and the prepared file is what one computes that has the whole graph; and a
// file that is damaged, or of other pages, is refused by its name before anything is computed.

const { folder } = temporaryFolder();
const path = join(folder, 'docs.owg');
const prepared = preparedPath(path);

const open = async (graph = path, file = preparedPath(graph)): Promise<PartialGraph> => {
  const opened = await PreparedFile.open(file);
  if (opened === undefined) throw new Error(`${file} is not there`);
  return PartialGraph.open(graph, opened, { paths: false });
};

beforeAll(async () => {
  await writeOwg(docsWeb, path);
  await writePrepared(prepared, docsWebPrepared, {});
});

test('pages, facts, reach, ranks, owners and modularity are those of the whole graph', async () => {
  const whole = new WholeGraph(docsWebPrepared);
  const part = await open();
  expect(part.sha256).toBe(whole.sha256);
  expect(part.facts).toEqual(whole.facts);
  expect(part.seeds({})).toEqual(whole.seeds({}));
  const { seedPages, reachable } = whole.seeds({});
  expect(part.seeds({ seedPages })).toEqual(whole.seeds({ seedPages }));
  const ranks = await whole.ranks();
  expect(Buffer.compare(Buffer.from((await part.ranks()).buffer), Buffer.from(ranks.buffer))).toBe(0);
  expect(part.bestRanks(ranks, reachable)).toEqual(whole.bestRanks(ranks, reachable));
  for (const partition of ['host-hash', 'lpt', 'domain'] as const) {
    const settings = { partition, partitionPoints: 100, processors: 5 };
    const owners = part.owners(settings, reachable);
    expect(owners).toEqual(whole.owners(settings, reachable));
    const loaded = await part.load(owners, [1, 3]);
    expect(loaded.modularity()).toEqual(whole.loaded(owners).modularity());
    for (let page = 0; page < docsWeb.pages; page += 97) {
      const isHere = [1, 3].includes(owners[docsWeb.hosts.ofPage[page]]);
      if (isHere) expect(linksOf(loaded.graph, page)).toEqual(linksOf(docsWeb, page).slice());
      else expect(() => linksOf(loaded.graph, page)).toThrow(`the links of page ${page} are on another node`);
    }
  }
});

test('one node that has the links of all pages has the record of a whole graph', async () => {
  const inputs: ExperimentInput[] = [{ maxPages: 3000 }, { policy: 'pagerank', maxPages: 800, partition: 'lpt' }];
  for (const input of inputs) {
    const [{ run, ...part }, { run: expected, ...whole }] = [
      await simulateOn(await open(), input), await simulate(docsWebPrepared, input),
    ];
    expect({ ...run, memory: undefined }).toEqual({ ...expected, memory: undefined });
    expect(part).toEqual(whole);
  }
});

test('what needs the links of all pages is refused', async () => {
  for (const [input, what] of [
    [{ statistics: 'auto' }, '--statistics'], [{ superstepLimit: 'auto' }, '--superstep-limit auto'],
    [{ measures: 'all', maxPages: 10 }, '--measures all'],
  ] as const)
    expect(await inputErrorOf(simulateOn(await open(), input)))
      .toBe(`${what}: needs the links of all pages, and here are those of one node`);
});

test('a file for other seed pages is refused by its name', async () => {
  const named = join(folder, 'named.prepared');
  await writePrepared(named, docsWebPrepared, { seedPages: [3, 1] });
  const refused = async (file: string, seedPages: number[] | undefined): Promise<string> =>
    inputErrorOf(simulateOn(await open(path, file), { maxPages: 5, seedPages }));
  const advice = 'make it for these: orbweaver simulate GRAPH --prepare';
  expect(await refused(named, undefined))
    .toBe(`${named}: is for runs that begin at pages 3, 1, not at the seed pages of the graph; ${advice}`);
  expect(await refused(named, [1, 3]))
    .toBe(`${named}: is for runs that begin at pages 3, 1, not at pages 1, 3; ${advice}`);
  expect(await refused(prepared, [7]))
    .toBe(`${prepared}: is for runs that begin at the seed pages of the graph, not at page 7; ${advice}`);
  const { run } = await simulateOn(await open(path, named), { maxPages: 5, seedPages: [3, 1] });
  expect(run.experiment.seedPages).toEqual([3, 1]);
  expect(await inputErrorOf(writePrepared(named, docsWebPrepared, { seedPages: [docsWeb.pages] })))
    .toContain(`seed page ${docsWeb.pages} does not exist`);
});

test('a file of another graph, or of the graph as it was, is refused by its name', async () => {
  const other = join(folder, 'other.owg');
  const loads = async (graph: WebGraph): Promise<string> => {
    await writeOwg(graph, other);
    return inputErrorOf(open(other, prepared).then((part) => simulateOn(part, { maxPages: 5 })));
  };
  // As large, but one link leads elsewhere.
  const outTargets = docsWeb.outTargets.slice();
  const last = outTargets.length - 1;
  outTargets[last] = outTargets[last] === 0 ? 1 : 0;
  const changed = { ...docsWeb, outTargets };
  const sha256 = new WholeGraph(prepare(changed)).sha256;
  expect(await loads(changed)).toBe(
    `${prepared}: is of another graph than ${other}: of one with SHA-256 ${new WholeGraph(docsWebPrepared).sha256}, ` +
    `not ${sha256}; orbweaver simulate GRAPH --prepare makes it again`,
  );
  const [outOffsets, noTargets] = [new Uint32Array(docsWeb.pages + 1), new Uint32Array(0)];
  const empty = await loads({ ...docsWeb, arcs: 0, outOffsets, outTargets: noTargets });
  expect(empty).toContain(`${prepared}: is of another graph than ${other}: of one with ${docsWeb.pages} pages`);
});

test('a damaged file is refused by its name, wherever it is damaged or cut', async () => {
  const good = readFileSync(prepared);
  const bad = join(folder, 'bad.prepared');
  const tried = async (bytes: Uint8Array): Promise<string> => {
    writeFileSync(bad, bytes);
    const file = await PreparedFile.open(bad);
    await file?.reachable();
    await file?.ranks();
    return 'nothing was refused';
  };
  const text = good.indexOf('"seeds"');
  const places = [0, 3, 9, 13, 16, text, good.length - 1, good.length - 8 * docsWeb.pages - 9];
  const steps = isFullSweep ? 400 : 40;
  for (let i = 1; i < steps; i++) places.push(Math.floor(good.length * i / steps));
  for (const at of places) {
    const altered = Buffer.from(good);
    altered[at] ^= 1 << at % 8;
    for (const bytes of [altered, good.subarray(0, at)])
      expect(await inputErrorOf(tried(bytes)), `byte ${at}`).toMatch(
        /bad\.prepared: is damaged: .*; orbweaver simulate GRAPH --prepare makes it again$/,
      );
  }
  expect(await inputErrorOf(tried(Buffer.concat([good, good.subarray(0, 8)])))).toContain('is damaged: it has ');
  expect(await PreparedFile.open(join(folder, 'missing.prepared'))).toBeUndefined();
  expect(await PreparedFile.open(folder), 'no regular file').toBeUndefined();
});

test('it is written whole or not at all', async () => {
  const again = join(folder, 'again.prepared');
  writeFileSync(again, 'another file');
  await writePrepared(again, docsWebPrepared, {});
  expect(readFileSync(again).equals(readFileSync(prepared))).toBe(true);
  expect(await inputErrorOf(writePrepared(join(folder, 'no', 'g.owg.prepared'), docsWebPrepared, {})))
    .toContain('there is no folder');
  expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
