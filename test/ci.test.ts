import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// Goal: what a public forge runs is what `.ci/run` runs. Method: the parts of both, by their names.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Job {
  readonly 'runs-on': string;
  readonly container?: string;
  readonly 'timeout-minutes': number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (number | string)[]>> };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const text = read('.github/workflows/ci.yml');
const workflow = parse(text) as { readonly on: readonly string[]; readonly jobs: Readonly<Record<string, Job>> };
const jobs = Object.entries(workflow.jobs);
const script = read('.ci/run');
const parts = /^all_parts=\((.*)\)$/m.exec(script)![1].split(' ');
const { scripts, engines } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>; readonly engines: { readonly node: string };
};

/** The parts that a job runs, in its order. */
const partsOf = ({ steps }: Job): string[] =>
  steps.flatMap(({ run }) => run === undefined ? [] : run.trim().split('\n')).flatMap((line) => {
    expect(line).toMatch(/^\.ci\/run( [a-z]+)+$/);
    return line.split(' ').slice(1);
  });

test('each part of .ci/run has its function, and its npm scripts are there', () => {
  expect([...script.matchAll(/^part_([a-z]+)\(\) \{$/gm)].map(([, name]) => name)).toEqual(parts);
  const named = [...script.matchAll(/^\s*npm (?:run (?:--silent )?)?([a-z:]+)/gm)].map(([, name]) => name)
    .filter((name) => name !== 'ci');
  expect(named).toEqual(expect.arrayContaining(['test', 'test:machines', 'test:all', 'lint', 'typecheck', 'start']));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the jobs run every part, after what it needs', () => {
  expect(workflow.on).toEqual(['push', 'pull_request']);
  const run = jobs.flatMap(([, job]) => partsOf(job));
  expect([...new Set(run)].sort()).toEqual([...parts].sort());
  // Only what prepares a machine is done by several jobs.
  expect(run.filter((part, i) => run.indexOf(part) < i && !['packages', 'install'].includes(part))).toEqual([]);
  for (const [name, job] of jobs) {
    const own = partsOf(job);
    expect([name, own]).toEqual([name, [...own].sort((one, other) => parts.indexOf(one) - parts.indexOf(other))]);
    expect([name, own.includes('install'), job.steps[0].uses]).toEqual([name, true, 'actions/checkout@v4']);
    expect([name, job['timeout-minutes'] <= 60]).toEqual([name, true]);
  }
});

test('the sweeps are whole, and the package is tried with the least Node and later ones', () => {
  const { all, packed } = workflow.jobs;
  const shards = all.strategy!.matrix['shard'];
  expect(shards).toEqual(shards.map((_, i) => i + 1));
  expect(all.env).toEqual({ SHARD: `\${{ matrix.shard }}/${shards.length}` });
  const nodes = packed.strategy!.matrix['node'];
  expect(engines.node).toBe(`>=${nodes[0]}`);
  // As `.ci/packed --matrix` does.
  expect(/for version in (.*); do/.exec(read('.ci/packed'))![1].split(' '))
    .toEqual([`${nodes[0]}.0`, ...nodes.slice(1)]);
  expect(packed.container).toContain('${{ matrix.node }}');
});

test('it names no host: actions and images are those of the forge', () => {
  expect(text).not.toMatch(/https?:|\b[a-z-]+\.(?:com|org|io|dev|net)\b/);
});

test('a part that there is not is refused before anything is done', () => {
  const { status, stdout, stderr } = spawnSync('.ci/run', ['lint', 'tests'], { cwd: root, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([
    2, '', `.ci/run: there is no part tests; there are: ${parts.join(' ')}\n`,
  ]);
});
