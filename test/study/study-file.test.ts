import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  axisNames, Grid, readStudy, shippedStudies, studyJsonSchema, studyOf, withPolicies,
} from '../../src/questions/study/index.ts';
import { parseExperiment, shippedPolicies, type PolicyDefinition } from '../../src/core/policy/index.ts';
import { InputError } from '../../src/base/index.ts';
import { anyCharacter } from '../any-text.ts';
import { isFullSweep } from '../sweep.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: a study file is what its schema says; whatever else it is, one message says what is wrong, at which line and
// column.

function refusal(text: string): string {
  try {
    new Grid(studyOf(text, 's.yaml'));
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a study: base as written, axes in the order of the file, the last fastest', () => {
  const study = studyOf(
    'graph: star\nexperiment: {robots: 2}\naxes:\n  network.latencyMs: [1, 2]\n  policy: [opic, random]\n  queue.kind: [cbt]\n',
    's.yaml',
  );
  expect(study).toEqual({
    title: undefined,
    graph: 'star',
    scores: undefined,
    sample: undefined,
    base: { robots: 2 },
    policies: shippedPolicies,
    axes: [
      { name: 'network.latencyMs', values: [1, 2] }, { name: 'policy', values: ['opic', 'random'] },
      { name: 'queue.kind', values: ['cbt'] },
    ],
  });
  const grid = new Grid(study);
  expect(grid.count).toBe(4);
  expect([0, 1, 2, 3].map((i) => grid.run(i).at)).toEqual([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]);
  expect(grid.run(2).experiment).toEqual(
    parseExperiment({ robots: 2, policy: 'opic', queue: { kind: 'cbt' }, network: { latencyMs: 2 } }),
  );
});

test('every field of the Experiment may be an axis, given scores apart', () => {
  const paths = Object.entries(
    parseExperiment({ pending: 1, maxPages: 1, maxSeconds: 1, seedPages: [0], queue: { block: 1 } }),
  ).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) expect(axisNames).toContain(path);
  expect(Object.keys(shippedPolicies.settings.experiment.shape)).toContain('scores');
  expect(axisNames.filter((name) => name.startsWith('scores'))).toEqual([]);
});

test('axes by the names of flags and by short names, and values with units', () => {
  const study = studyOf(
    'graph: star\nexperiment: {maxSeconds: 10h, backoffMostMs: 5s, network: {pageBytes: 64KiB}}\naxes:\n' +
      '  max-pages: [100, 1.5k]\n  latencyMs: [0.25s, 10]\n  bandwidth: [100Mbit]\n  superstep-limit: [auto, 1k]\n',
    's.yaml',
  );
  expect(study.base).toEqual({ maxSeconds: 36_000, maxBackoffMs: 5000, network: { pageBytes: 65_536 } });
  expect(study.axes).toEqual([
    { name: 'maxPages', values: [100, 1500] }, { name: 'network.latencyMs', values: [250, 10] },
    { name: 'network.bandwidthBytesPerSecond', values: [12.5e6] }, { name: 'superstepLimit', values: ['auto', 1000] },
  ]);
});

const deep = `graph: ${'['.repeat(50_000)}`;
const ninefold = Array.from('bcdefgh', (name, i) => {
  const alias = `*${'abcdefg'[i]}`;
  return `${name}: &${name} [${Array(9).fill(alias).join(', ')}]`;
});
const bomb = `graph: star\na: &a [x, x, x, x, x, x, x, x, x]\n${ninefold.join('\n')}\naxes: {}\n`;

describe('bad input, with line and column', () => {
  test.each<[what: string, text: string, message: RegExp]>([
    ['nothing', '', /^s\.yaml:1:1: a study file: must be an object/],
    ['a list', '- graph: star\n', /^s\.yaml:1:1: a study file: /],
    ['a list that is not closed', 'graph: star\naxes: {policy: [opic}\n', /^s\.yaml:2:2\d: .*/],
    ['a tab', 'graph: star\naxes:\n\tpolicy: [opic]\n', /^s\.yaml:3:1: .*[Tt]ab/],
    ['a quote that is not closed', 'graph: "star\naxes: {}\n', /^s\.yaml:\d+:\d+: .*quote/],
    ['two documents', 'graph: star\naxes: {}\n---\ngraph: star\n', /^s\.yaml:3:1: .*multiple documents/],
    ['an unknown alias', 'graph: *nobody\naxes: {}\n', /^s\.yaml:1:8: there is no anchor &nobody before this alias$/],
    ['an unknown tag', 'graph: !!js/function star\naxes: {}\n', /^s\.yaml:1:8: Unresolved tag/],
    ['a key twice', 'graph: star\naxes: {}\ngraph: clique\n', /^s\.yaml:3:1: graph is given twice$/],
    [
      'an axis twice', 'graph: star\naxes:\n  policy: [opic]\n  policy: [random]\n',
      /^s\.yaml:4:3: policy is given twice$/,
    ],
    ['no graph', 'axes: {}\n', /^s\.yaml:1:1: graph: is missing$/],
    ['no axes', 'graph: star\n', /^s\.yaml:1:1: axes: is missing$/],
    [
      'an unknown field', 'graph: star\naxis: {}\naxes: {}\n',
      /^s\.yaml:2:1: "axis" is not a field; did you mean axes\?$/,
    ],
    [
      'an unknown field far from all', 'graph: star\naxes: {}\nzzzzzzzz: 1\n',
      /^s\.yaml:3:1: "zzzzzzzz" is not a field; known there: \$schema, title, graph/,
    ],
    [
      'an unknown setting', 'graph: star\nexperiment:\n  robot: 2\naxes: {}\n',
      /^s\.yaml:3:3: experiment: "robot" is not a field; did you mean robots\?$/,
    ],
    [
      'an unknown setting below', 'graph: star\nexperiment:\n  network: {latencyms: 2}\naxes: {}\n',
      /^s\.yaml:3:13: experiment\.network: "latencyms" is not a field; did you mean latencyMs\?$/,
    ],
    [
      'an unknown axis', 'graph: star\naxes:\n  network.latency: [1]\n',
      /^s\.yaml:3:3: axes: "network.latency" is not a field; did you mean network\.latencyMs\?$/,
    ],
    [
      'another word for a setting', 'graph: star\naxes:\n  concurrency: [1]\n',
      /^s\.yaml:3:3: axes: "concurrency" is not a field; did you mean robots\?$/,
    ],
    [
      'an axis under two names', 'graph: star\naxes:\n  max-pages: [1]\n  maxPages: [2]\n',
      /^s\.yaml:4:3: maxPages is given twice$/,
    ],
    [
      'a value with an unknown unit, and a negative one', 'graph: star\naxes:\n  politeness-ms: [1x, -2s]\n',
      /^s\.yaml:3:19: axes\.politenessMs\.0: .*\(given: "1x"\); or a duration such as 250ms, .*\n.*at? least|>=0/,
    ],
    [
      'another word in the base', 'graph: star\naxes: {}\nexperiment: {workers: 3}\n',
      /^s\.yaml:3:14: experiment: "workers" is not a field; did you mean robots\?$/,
    ],
    [
      'a policy of a like name', 'graph: star\naxes:\n  policy: [opic, bredth-first]\n',
      /^s\.yaml:3:18: axes\.policy\.1: .*\(given: "bredth-first"\); did you mean breadth-first\?$/,
    ],
    [
      'a value out of range', 'graph: star\naxes:\n  processors: [1, 0]\n',
      /^s\.yaml:3:19: axes\.processors\.1: .*>=1 \(given: 0\)$/,
    ],
    [
      'a base value out of range', 'graph: star\nexperiment:\n  politenessMs: -1\naxes: {}\n',
      /^s\.yaml:3:17: experiment\.politenessMs: .*>=0 \(given: -1\)$/,
    ],
    ['not a number', 'graph: star\naxes: {robots: [.nan]}\n', /^s\.yaml:2:17: axes\.robots\.0: /],
    [
      'an axis of one value, no list', 'graph: star\naxes: {robots: 2}\n',
      /^s\.yaml:2:16: axes\.robots: .*must be a list/,
    ],
    [
      'an empty axis', 'graph: star\naxes: {robots: []}\n',
      /^s\.yaml:2:16: axes\.robots: an axis needs at least one value$/,
    ],
    ['a value twice', 'graph: star\naxes: {robots: [2, 3, 2]}\n', /^s\.yaml:2:23: axes\.robots: has 2 twice$/],
    [
      'a field in base and axes', 'graph: star\nexperiment: {robots: 2}\naxes: {robots: [2, 3]}\n',
      /^s\.yaml:3:8: robots is an axis, and the base experiment has it too \(s\.yaml:2:22\); leave one out$/,
    ],
    ['a seed in both', 'graph: star\nexperiment: {seed: 2}\naxes: {seed: [2, 3]}\n', /seed is an axis, and the base/],
    ['a sample of none', 'graph: star\naxes: {}\nsample: {runs: 0}\n', /^s\.yaml:3:16: sample\.runs: /],
    ['a prototype', 'graph: star\naxes: {}\n__proto__: {robots: 2}\n', /^s\.yaml:3:1: "__proto__" is not a field/],
    ['scores as an axis', 'graph: star\naxes: {scores: [a]}\n', /^s\.yaml:2:8: axes: "scores" is not a field/],
    ['a list nested too deeply', deep, /^s\.yaml: is nested too deeply$/],
    ['an alias bomb', bomb, /^s\.yaml: its aliases expand to too much$/],
  ])('%s', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('a study of too many runs: refused with the count, before anything is made', () => {
    const seeds = (count: number): string => Array.from({ length: count }, (_, i) => i).join(', ');
    const text = `graph: star\naxes:\n  seed: [${seeds(1001)}]\n  processors: [${seeds(1001).slice(3)}]\n`;
    expect(refusal(text)).toBe(
      'the study has 1,001,000 runs (1001 of seed x 1000 of processors); at most 1,000,000 are allowed: leave values out, or draw a sample',
    );
    expect(new Grid(studyOf(`${text}sample: {runs: 10}\n`, 's.yaml')).count).toBe(10);
    expect(refusal('graph: star\naxes: {robots: [1, 2]}\nsample: {runs: 3}\n')).toBe(
      'a sample of 3 runs is more than the grid has: 2 (2 of robots)',
    );
  });

  test('many faults are reported at once, and not without end', () => {
    const lines = refusal(
      `graph: star\naxes: {}\n${Array.from({ length: 30 }, (_, i) => `field${i}: 1`).join('\n')}\n`,
    ).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[10]).toBe('and 20 more');
  });

  test('values that do not go together are reported before any run', () => {
    const grid = new Grid(
      studyOf('graph: star\naxes: {queue.kind: [cbt, binary-heap], queue.memoryBytes: [1000000]}\n', 's.yaml'),
    );
    expect(grid.run(0).experiment.queue.kind).toBe('cbt');
    expect(() => grid.run(1)).toThrow(/a binary-heap cannot be stored in files/);
  });
});

describe('files', () => {
  const { folder, file } = temporaryFolder();
  test('that cannot be read', async () => {
    expect(await inputErrorOf(readStudy(`${folder}/none.yaml`))).toMatch(/none\.yaml: there is no such file$/);
    expect(await inputErrorOf(readStudy(folder))).toMatch(/is a folder/);
    expect(await inputErrorOf(readStudy(file('binary.yaml', Uint8Array.of(0xff, 0xfe, 0x80))))).toMatch(
      /is not UTF-8 text$/,
    );
    expect(await inputErrorOf(readStudy(file('long.yaml', `# ${'x'.repeat(300_000)}`)))).toMatch(
      /is longer than 256 KiB/,
    );
  });

  test('of random bytes and of sound text with a byte changed: refused or read, never a stack trace', () => {
    const sound = readFileSync(new URL('../../datasets/studies/policies.yaml', import.meta.url), 'utf8');
    const changed = fc
      .tuple(fc.nat(sound.length - 1), fc.constantFrom(...Array.from(' :[]{}&*!|>%@`"\'\n\t,#-?x0')))
      .map(([at, byte]) => sound.slice(0, at) + byte + sound.slice(at + 1));
    fc.assert(fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), changed), (text) => {
      try {
        new Grid(studyOf(text, 's.yaml'));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).toMatch(/^s\.yaml|^the study|^a sample/);
      }
    }), { numRuns: isFullSweep ? 480 : 12 });
  });
});

test('the studies that come with the package are sound, and the JSON Schema beside them is that of the code', async () => {
  expect((await readStudy('policies')).graph).toBe('docs-web');
  expect(new Grid(await readStudy('policies')).count).toBeGreaterThanOrEqual(60);
  expect(new Grid(await readStudy('tiny')).count).toBe(12);
  expect(new Grid(await readStudy('searchers')).count).toBe(65);
  for (const { name } of await shippedStudies()) {
    // Else another policy may win than in a crawl by the defaults.
    const { base, axes } = await readStudy(name);
    for (const limit of ['superstepLimit', 'pending']) {
      expect([name, ...Object.keys(base), ...axes.map((axis) => axis.name)]).not.toContain(limit);
    }
  }
  const path = new URL('../../datasets/studies/study.schema.json', import.meta.url);
  // Else: npx orbweaver study --schema > datasets/studies/study.schema.json
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(studyJsonSchema())));
  const names = readdirSync(new URL('../../datasets/studies', import.meta.url)).filter((name) => name.endsWith('.yaml'));
  expect((await shippedStudies()).map(({ name }) => `${name}.yaml`)).toEqual(names.sort());
  for (const { name } of await shippedStudies()) {
    expect(readFileSync(new URL(`../../datasets/studies/${name}.yaml`, import.meta.url), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=study\.schema\.json\n/,
    );
  }
});

test('a sample is the same set for one seed, none twice, and each point is as likely', () => {
  const axes = [{ name: 'robots', values: [1, 2, 3] }, { name: 'seed', values: [1, 2, 3, 4] }];
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 1200; seed++) {
    const grid = new Grid({ axes, base: {}, sample: { runs: 5, seed } });
    const points = Array.from({ length: 5 }, (_, i) => grid.positions(i).join(' '));
    expect(new Set(points).size).toBe(5);
    for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
  }
  expect(counts.size).toBe(12);
  // 500 each on average, with a standard deviation of 17.
  for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(85);
});

test('a study compares more policies, each once, also one of a file', async () => {
  const study = await readStudy('tiny');
  const mine: PolicyDefinition = {
    name: 'mine', title: 'any', make: () => ({ key: () => 1, score: () => 1 }),
    origin: { file: './mine.js', sha256: 'f' },
  };
  const policiesOf = (names: string[], loaded: PolicyDefinition[] = []): unknown =>
    withPolicies(study, names, loaded).axes.find(({ name }) => name === 'policy')?.values;
  const own = study.axes.find(({ name }) => name === 'policy')!.values;
  expect(policiesOf(['depth-first', String(own[0])])).toEqual([...own, 'depth-first']);
  expect(policiesOf(['./mine.js'], [mine])).toEqual([...own, 'mine']);
  expect(() => policiesOf(['opik'])).toThrow(/^opik: must be one of .*; did you mean opic\?$/);
  const without = { ...study, axes: study.axes.filter(({ name }) => name !== 'policy') };
  expect(() => withPolicies(without, ['opic'], [])).toThrow(/^the study compares no policies/);
});
