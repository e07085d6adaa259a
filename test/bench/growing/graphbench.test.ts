import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answerOf, chosenEntrants, entrantsOf, graphbench, graphbenchShown, isAlgorithm1, spawcGraph,
  type GraphbenchCase, type GraphbenchReport, type Kind,
} from '../../../src/questions/bench/index.ts';
import { componentAlgorithms, distanceAlgorithms } from '../../../src/graphs/graph/growing/index.ts';
import { finished, newFolder, orbweaver, printedBy, start } from '../../cli/command.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: the command measures what it is asked to, ends what takes too long, and finds wrong results.

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

async function report(...words: string[]): Promise<GraphbenchReport> {
  // Of a long measurement, progress is on standard error.
  const { code, stdout } = await orbweaver(['graphbench', ...words, '--json'], folder);
  expect(code).toBe(0);
  return JSON.parse(stdout) as GraphbenchReport;
}

const stateOf = ({ algorithm, state }: GraphbenchCase): string => `${algorithm}: ${state}`;

describe('the algorithms', () => {
  test('are those of the registries, with their numbers; batch forms have the threshold', () => {
    for (const [kind, registry] of [['distances', distanceAlgorithms], ['components', componentAlgorithms]] as const) {
      const entrants = entrantsOf(kind, 7);
      expect(entrants.map(({ number }) => number).filter((number) => number !== null).sort()).toEqual(
        registry.flatMap(({ numbers }) => numbers).sort());
      expect(entrants.filter(({ threshold }) => threshold === 7).map(({ algorithm }) => algorithm)).toEqual(
        registry.filter(({ isBatch }) => isBatch).map(({ name }) => name));
    }
    expect(chosenEntrants('distances', ['7', 'insertion', '4', '2'], 7).map(({ name }) => name)).toEqual(
      ['johnson', 'johnson-batch', 'insertion']);
  });

  test.each([
    ['-a 5', /^--apsp 5: SPAWC's text does not describe its Algorithm 2, so it cannot be built; .*--apsp pruned\n$/],
    ['-a 1,8', /^--apsp 8: SPAWC's text does not describe its batch Algorithm 3/],
    ['-a 9', /^--apsp 9: .* batch Algorithm 4/],
    ['-s 8', /^--scc 8: SPAWC's text does not describe its Algorithm 2.*--scc pruned\n$/],
    ['-s 9', /^--scc 9: .* Algorithm 3/],
    ['-a 10', /^--apsp 10: must be one of floyd-warshall \(1\), /],
    ['-s tarjn', /did you mean tarjan\?\n$/],
    ['-g sc3 --trials 0', /^--trials 0: must be at least 1\n$/],
    ['-g sc3 --timeout 0', /^--timeout 0: must be seconds, more than 0/],
    ['-g sc3 --threshold x', /^--threshold x: must be a number\n$/],
    ['-g sc3 -n name', /^--name: names the graph that --convert writes\n$/],
    ['-g c1000', /^no graph "c1000": .*; did you mean c100\?\n$/],
    ['-g none.g', /^none\.g: there is no such file\n$/],
    ['-g c100 -a 4 -p', /^--print-matrices: c100 has 100 pages; matrices are printed up to 40\n$/],
    ['-C one.gr', /^--convert: needs two files/],
    ['-C one.gr two.g --trials 2', /^--convert: takes --name and --json alone\n$/],
    ['', /^name graphs/],
  ])('%s is refused in one line', async (words, says) => {
    const { code, stdout, stderr } = await orbweaver(['graphbench', ...words.split(' ').filter(Boolean)], folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe('graphbench', () => {
  /** Algorithm 1 and its pruned form; under test:all, all that end. */
  const quick = (kind: Kind): string => entrantsOf(kind, 100)
    .filter((one) => one.name === 'pruned' || isAlgorithm1(one)).map(({ name }) => name).join(',');

  test('the small graphs are right with Algorithm 1 and its pruned form, or with all', async () => {
    const chosen = isFullSweep ? ['--timeout', '10'] : ['-a', quick('distances'), '-s', quick('components')];
    const { cases, graphs, notMeasured } = await report(
      '-g', 'sc1,sc2,sc3,c100,id,a300', '--validate', '--trials', '1', ...chosen,
    );
    expect(graphs.map(({ name }) => name)).toEqual(['sc1', 'sc2', 'sc3', 'c100', 'id', 'a300']);
    expect(notMeasured).toEqual([]);
    const ended = cases.filter(({ state }) => state === 'measured');
    for (const { name, isValid, median, usPerArc, bytes, wrong } of ended) {
      expect({ name, isValid, wrong }).toEqual({ name, isValid: true, wrong: undefined });
      expect(Math.min(median!, usPerArc!)).toBeGreaterThanOrEqual(0);
      expect(bytes).toBeGreaterThanOrEqual(0);
    }
    if (!isFullSweep) expect(ended).toHaveLength(cases.length);
  });

  test('--json: a case has the keys of bench, and its ratio to Algorithm 1', async () => {
    const { machine, cases } = await report('-g', 'sc3', '-a', '3,4,pruned', '-p', '--trials', '2');
    expect(machine).toMatch(/Node v/);
    const number = expect.any(Number) as number;
    const figures = { median: number, min: number, max: number };
    const both = { ...figures, unit: 'ms', trials: 2, isWarm: true, isValid: null, graph: 'sc3', kind: 'distances' };
    const ratio = { versus: 'sc3: Algorithm 1', ratio: figures };
    const matrix = [[0, 1, 1, 2], [1, 0, 1, 2], [1, 2, 0, 1], [null, null, null, 0]];
    expect(cases).toMatchObject([
      { ...both, name: 'sc3: Ausiello et al.', number: 3, ...ratio },
      { ...both, name: 'sc3: Algorithm 1', number: 4, matrix },
      { ...both, name: 'sc3: Algorithm 1, pruned', number: null, ...ratio },
    ]);
    expect(cases[1]).not.toHaveProperty('ratio');
    expect(cases[0].ratio!.median).toBeCloseTo(cases[1].median! / cases[0].median!, 9);
  });

  test('what times out ends within its arc, is marked, and others follow', async () => {
    // Nothing is computed before the last arc; then Floyd-Warshall takes n^3 / 2 steps, which is more than 10 s.
    const pages = 4000;
    const arcs = Array.from({ length: pages }, (_, i) => `a ${i + 1} ${((i + 1) % pages) + 1} 1\n`);
    writeFileSync(join(folder, 'long.gr'), `p sp ${pages} ${pages}\n${arcs.join('')}`);
    const { code, stdout, stderr } = await orbweaver([
      'graphbench', '-g', 'long.gr', '-g', 'sc1', '-a', '6,pruned', '-s', 'pruned', '--threshold', String(pages),
      '--timeout', '3', '--json',
    ], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { cases } = JSON.parse(stdout) as GraphbenchReport;
    const [naive] = cases;
    expect(naive).toMatchObject({
      name: 'long: Floyd-Warshall, batch', state: 'timed out', median: null, min: null, max: null, trials: 0,
      usPerArc: null,
    });
    expect(naive.bytes).toBeGreaterThan(2 * pages ** 2 - 1);
    expect(cases.filter(({ graph }) => graph === 'sc1').map(stateOf)).toEqual([
      'floyd-warshall-batch: measured', 'pruned: measured', 'pruned: measured',
    ]);
  });

  test('what does not fit memory is refused, with its bytes, and others follow', async () => {
    writeFileSync(join(folder, 'large.gr'), 'p sp 65535 1\na 1 2 1\n');
    const { cases } = await report('-g', 'large.gr', '-a', 'pruned', '-s', 'tarjan');
    expect(cases).toMatchObject([
      { state: 'refused', reason: '65535 pages: a matrix of distances can have 65534 at most' }, { state: 'measured' },
    ]);
    const shown = await printedBy(['graphbench', '-g', 'large.gr', '-a', 'pruned'], folder);
    expect(shown).toContain('refused: 65535 pages');
    const { code, stderr } = await orbweaver(['graphbench', '-g', 'large.gr', '-a', 'pruned', '--validate'], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^large: 65535 pages: distances of all pairs take 17179344900 bytes/);
  });

  test('an arc out of range, a loop and an arc twice are what the contract says', async () => {
    writeFileSync(join(folder, 'loops.gr'), 'p sp 3 4\na 1 1 1\na 1 2 1\na 1 2 1\na 2 1 1\n');
    const { cases } = await report('-g', 'loops.gr', '--validate', '-a', 'pruned,4', '-s', '2,pruned');
    expect(cases.map(({ isValid }) => isValid)).toEqual([true, true, true, true]);
  });

  test('interrupted, it ends with what it has', async () => {
    const controller = new AbortController();
    const entrants = chosenEntrants('distances', ['pruned', 'floyd-warshall'], 1);
    const cut = await graphbench({
      sequences: [spawcGraph('sc3'), spawcGraph('c400')], entrants, trials: 1, timeoutSeconds: 60, threshold: 1,
      validates: false, printsMatrices: false, measuresSpace: true, signal: controller.signal,
      onProgress: (text) => {
        if (text.includes('c400: Floyd-Warshall')) setTimeout(() => { controller.abort(); }, 100);
      },
    });
    expect(cut.notMeasured).toEqual(['c400: Floyd-Warshall']);
    expect(cut.cases.map(({ state }) => state)).toEqual(['measured', 'measured', 'measured']);
    expect(cut.space).toBeNull();
  });

  test('SIGINT: what there is is saved, with exit code 130', async () => {
    const child = start(['graphbench', '-g', 'c400', '-a', '1', '--out', 'cut'], folder);
    const end = finished(child);
    // The folder is there before the first case begins.
    while (!readdirSync(folder).includes('cut.partial')) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await end;
    expect({ code, stderr }).toEqual({
      code: 130, stderr: `interrupted after 0 of 1 cases of graphbench; saved in ${join(folder, 'cut')}\n`,
    });
    expect(stdout).toContain('Not measured, because of the interruption: c400: Floyd-Warshall.');
    expect(readdirSync(join(folder, 'cut')).sort()).toEqual(['graphbench.json', 'report.html']);
  });
});

describe('graph files', () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'ring.gr'), 'p sp 4 4\na 1 2 1\na 2 3 5\na 3 1 1\na 3 4 1\n');
    const { code, stdout, stderr } = await orbweaver(['graphbench', '-C', 'ring.gr', 'ring.g', '-n', 'a ring'], folder);
    expect({ code, stdout, stderr }).toEqual({
      code: 0, stdout: 'ring.g: a ring, 4 pages, 4 arcs, 2 components.\n',
      stderr: 'a ring: 1 arcs have a length other than 1, which is ignored: distances are counted in links.\n',
    });
  });

  test('are measured by what they say', async () => {
    const { cases, graphs } = await report('-g', 'ring.g', '--validate', '-a', '4', '-s', '2');
    expect(graphs).toMatchObject([{ name: 'a ring', pages: 4, arcs: 4, isSynthetic: false }]);
    expect(cases.map(({ isValid }) => isValid)).toEqual([true, true]);
    const twice = await report('-g', 'ring.g', '-g', 'ring.g', '-a', '4');
    expect(twice.cases.map(({ name }) => name)).toEqual(['a ring: Algorithm 1', 'a ring (2): Algorithm 1']);
  });

  test('--json of a conversion', async () => {
    writeFileSync(join(folder, 'pair.col'), 'p edge 2 1\ne 1 2\n');
    const stdout = await printedBy(['graphbench', '--convert', 'pair.col', 'pair.g', '--json'], folder);
    expect(JSON.parse(stdout)).toEqual({ name: 'pair', pages: 2, arcs: 2, components: 1, file: 'pair.g' });
  });

  const headBytes = 10 + 'a ring\0'.length + 12;
  test.each([
    // Row 1, column 3: from the second page to the fourth there are 2 links.
    ['distance', headBytes + 4 * (1 * 4 + 3), 9, 'a ring: Algorithm 1: pages 1 and 3: 2 links, expected 9 links\n'],
    ['component', headBytes + 4 * 16 + 4 * 2, 1,
      'a ring: Tarjan: pages 0 and 2: one component, expected different components\n'],
  ])('--validate names the first wrong %s, and what is wrong is the file', async (kind, at, value, says) => {
    const bytes = readFileSync(join(folder, 'ring.g'));
    bytes.writeUInt32LE(value, at);
    writeFileSync(join(folder, 'wrong.g'), bytes);
    const words = ['graphbench', '-g', 'wrong.g', ...(kind === 'distance' ? ['-a', '4'] : ['-s', '2'])];
    const { code, stdout, stderr } = await orbweaver([...words, '--validate'], folder);
    expect({ code, stderr }).toEqual({ code: 2, stderr: says });
    expect(stdout).toContain('WRONG: pages');
    // Nobody asked.
    expect((await orbweaver(words, folder)).code).toBe(0);
  });
});

describe('what is shown', () => {
  test('--out: the record, CSV files, and a report with SPAWC\'s figures; written twice', async () => {
    const words = 'graphbench -g id -g sc1 -a 3,4 -s 2,pruned --trials 1 --out figures'.split(' ');
    await printedBy(words, folder);
    const text = await printedBy(words, folder);
    expect(text).toMatch(/^Distances between all pages, fastest: .* on .*id/);
    const files = ['components.csv', 'distances.csv', 'graphbench.json', 'report.html', 'space.csv'];
    expect(readdirSync(join(folder, 'figures')).sort()).toEqual(files);
    const stored = JSON.parse(readFileSync(join(folder, 'figures', 'graphbench.json'), 'utf8')) as GraphbenchReport;
    const charts = graphbenchShown(stored).flatMap(({ shown }) => shown.charts);
    expect(charts.map(({ title }) => title.split(/[:;]/)[0])).toEqual(['Figure 9', 'Figure 15', 'Bytes by pages']);
    // id is the sixth of SPAWC's figures; sc1 is in none.
    expect(charts[0].series.map(({ points }) => points.map(({ x }) => x))).toEqual([[6], [6]]);
    const [bits, bytes] = charts[2].series.map(({ points }) => points);
    for (const [point, { y }] of bits.entries()) {
      const isModelled = bits[point].x > 8000;
      expect(bits[point].isModelled ?? false).toBe(isModelled);
      if (isModelled) expect(bytes[point].y / y).toBe(8);
      else expect(bytes[point].y / y, `${bits[point].x} pages`).toBeGreaterThan(3);
    }
    expect(bits[bits.length - 1]).toMatchObject({ x: 250_000, y: 250_000 ** 2 / 8e6 });
    // Measured and computed meet.
    expect(bytes[2].y / (8000 ** 2 / 1e6)).toBeCloseTo(1, 1);
  });

  const made = (
    graph: string, title: string, median: number | null, rest: Partial<GraphbenchCase> = {},
  ): GraphbenchCase => ({
    name: `${graph}: ${title}`, graph, kind: 'distances', algorithm: title, title, number: null, threshold: 1,
    state: median === null ? 'timed out' : 'measured', median, min: median, max: median, unit: 'ms', trials: 3,
    isWarm: true, usPerArc: median, bytes: 1e6, isValid: null, ...rest,
  });
  const of = (cases: GraphbenchCase[]): GraphbenchReport => ({
    machine: 'm', load: { cores: 2, before: 0, after: 0 }, trials: 3, timeoutSeconds: 5, threshold: 1, notMeasured: [],
    space: null, notes: [], cases,
    graphs: [...new Set(cases.map(({ graph }) => graph))].map((name) => ({
      name, description: 'd', isSynthetic: false, pages: 2, arcs: 1, density: 0.5,
    })),
  });

  test('the answer: the fastest on each graph, not counting what is wrong', () => {
    const cases = [
      made('a', 'x', 1), made('a', 'y', 2), made('b', 'x', 3, { isValid: false }), made('b', 'y', 4), made('c', 'x', 5),
      made('d', 'x', null), made('a', 'batch', 0.5, { threshold: 7 }),
    ];
    expect(answerOf(of(cases))).toBe('Distances between all pages, fastest: x on a, c; y on b.');
    expect(graphbenchShown(of(cases))[0].shown.paragraphs).toEqual([
      'Fastest of those that are right only after every 7 arcs: batch on a.',
    ]);
    expect(answerOf(of([]))).toBe('Nothing was measured.');
  });

  test('SPAWC\'s findings beside ours, and widths of blocks as in figure 14', () => {
    const cases = [
      made('c100', 'Ausiello', 2, { number: 3 }), made('c100', 'Algorithm 1', 4, { number: 4 }),
      made('a900', 'Ausiello', null, { number: 3 }), made('a900', 'Algorithm 1', 1, { number: 4 }),
      ...[4, 5, 6, 7].map((number) => made('a900', `${number}`, number, { number, kind: 'components' })),
    ];
    const [distances, components] = graphbenchShown(of(cases));
    expect(distances.shown.paragraphs).toHaveLength(1);
    expect(distances.shown.paragraphs[0]).toMatch(
      / Here, times of Ausiello over those of Algorithm 1: c100 0.50, a900 \(only Algorithm 1 ended\)\.$/);
    expect(distances.shown.tables[0].rows[2]).toEqual([
      'a900: 2 pages, 1 arcs (50.00 %), d', 'Ausiello', 3, null, null, 1, null, null, 'timed out after 5 s',
    ]);
    const [widths, rest] = components.shown.charts;
    expect(widths.series.map(({ name }) => name)).toEqual(['8 bits', '16 bits', '32 bits', '64 bits']);
    expect(rest.series.map(({ name }) => name)).toEqual(['7']);
  });
});
