import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { RunControl, simulate } from '../../../src/core/engine/index.ts';
import type { RunSink } from '../../../src/core/events/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import { readRunJson, type RunJson } from '../../../src/core/measure/index.ts';
import { sampled } from '../../sweep.ts';
import { newFolder, orbweaver, printedBy } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';

// Goal: the settings of a run are a file that one can print, keep, change and run again.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });

const run = (...args: string[]): Promise<string> => printedBy(args, folder);

async function hashOf(...args: string[]): Promise<string> {
  return (JSON.parse(await run('simulate', ...args, '--json')) as RunJson).replayHash;
}

const more: Partial<Record<string, string[]>> = {
  scores: ['--scores', 'ranks.txt'], weighted: ['--weights', 'opic=0.7,depth-first=0.3'],
};
const some = sampled(policyNames, 6);
const tried = policyNames.filter((policy) => some.includes(policy) || policy in more);
test.each(tried)('%s: printed settings, and those of the record, give the same run', async (policy) => {
  writeFileSync(join(folder, 'ranks.txt'), Array.from({ length: 9 }, (_, page) => String(page % 7)).join('\n'));
  const flags = [
    'star', '--policy', policy, '--network', 'web', '--processors', '3', '--seed', '5', ...(more[policy] ?? []),
  ];
  const hash = await hashOf(...flags, '--out', `run-${policy}`);
  writeFileSync(join(folder, `${policy}.yaml`), await run('simulate', ...flags, '--print-config'));
  expect(await hashOf('star', '--config', `${policy}.yaml`)).toBe(hash);
  expect(await hashOf('star', '--config', join(`run-${policy}`, 'run.json'))).toBe(hash);
});

test('a run that was steered is repeated with its changes; damaged changes are refused', async () => {
  const control = new RunControl();
  const act: RunSink = {
    superstep: ({ superstep }) => {
      if (superstep === 2) control.setRobots(1, 3);
      if (superstep === 4) control.setRobots(9);
      if (superstep === 6) control.stop();
    },
  };
  writeSmallWeb(join(folder, 'web'));
  const web = prepare(await openGraph(join(folder, 'web')));
  const { run: steered } = await simulate(web, {}, { control, sinks: [act] });
  writeFileSync(join(folder, 'steered.json'), JSON.stringify(steered));
  expect(steered.summary.ended).toBe('interrupted');
  const again = JSON.parse((await orbweaver(
    ['simulate', 'web', '--config', 'steered.json', '--json'], folder,
  )).stdout) as RunJson;
  expect(again.replayHash).toBe(steered.replayHash);
  expect(again.changes).toEqual(steered.changes);

  writeFileSync(join(folder, 'steered.json'), JSON.stringify({ ...steered, changes: [{ superstep: -1 }] }));
  const { code, stderr } = await orbweaver(['simulate', 'web', '--config', 'steered.json'], folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^steered\.json:1:\d+: .*superstep/);
});

test('flags win over the file; a preset replaces its network as a whole', async () => {
  writeFileSync(join(folder, 'some.yaml'), 'processors: 2\npolicy: random\nnetwork: { latencyMs: 5, preset: lan }\n');
  const printed = await run('simulate', 'star', '--config', 'some.yaml', '--processors', '4', '--print-config');
  expect(printed).toMatch(/^processors: 4$/m);
  expect(printed).toMatch(/^policy: random$/m);
  expect(printed).toMatch(/^ {2}latencyMs: 5$/m);
  const preset = await run('simulate', 'star', '--config', 'some.yaml', '--network', 'web', '--print-config');
  expect(preset).toMatch(/^ {2}latencyMs: 300$/m);
  // What the tests of --print-config above do not show: what is printed is all of it.
  expect(readFileSync(join(folder, 'opic.yaml'), 'utf8').match(/^[a-z]\w*:/gm)).toHaveLength(
    printed.match(/^[a-z]\w*:/gm)!.length,
  );
});

test.each([
  ['an unknown key', 'processors: 2\nrobot: 3\n', /^c\.yaml:2:1: "robot" is not a field; did you mean robots\?$/m],
  ['a flag as a key', 'superstep-ms: 3\n', /^c\.yaml:1:1: "superstep-ms" is not a field; did you mean superstepMs\?$/m],
  ['a wrong type', 'robots: many\n', /^c\.yaml:1:9: robots: .*number.*\(given: "many"\)$/m],
  ['a wrong name', 'policy: opicc\n', /^c\.yaml:1:9: policy: .*; did you mean opic\?$/m],
  ['a key twice', 'robots: 1\nrobots: 2\n', /^c\.yaml:2:1: robots is given twice$/m],
  [
    'a live setting', 'network: {}\ncontact: me@example.org\n',
    /^c\.yaml:2:1: "contact" is not a field; it is a setting of live crawls/m,
  ],
  ['nested', 'network: { latencyMs: -1 }\n', /^c\.yaml:1:23: network\.latencyMs: /m],
  ['no map', '- 1\n', /^c\.yaml:1:1: a settings file: /m],
  ['no YAML', 'a: [\n', /^c\.yaml:\d+:\d+: /m],
  [
    'a live record', '{"replayHash": "", "experiment": {"live": {"contact": "x"}}}',
    /^c\.yaml:1:35: "live" is not a field; it is a setting of live/m,
  ],
])('%s: exit code 2, with the place and what is allowed', async (_, text, says) => {
  writeFileSync(join(folder, 'c.yaml'), text);
  const { code, stdout, stderr } = await orbweaver(['simulate', 'star', '--config', 'c.yaml'], folder);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(says);
});

test('no such file', async () => {
  const { code, stderr } = await orbweaver(['simulate', 'star', '--config', 'none.yaml'], folder);
  expect([code, stderr.trim()]).toEqual([2, 'none.yaml: there is no such file']);
});

test('settings files and records of earlier versions are read; values in files take units', async () => {
  const network = (latency: string): string => `network: {preset: web, latencyMs: ${latency}}\n`;
  writeFileSync(join(folder, 'new.yaml'), `maxBackoffMs: 5000\nmaxSeconds: 36000\n${network('250')}`);
  writeFileSync(join(folder, 'old.yaml'), `backoffMostMs: 5s\nmaxSeconds: 10h\n${network('0.25s')}`);
  const hash = await hashOf('star', '--config', 'new.yaml', '--out', 'named');
  expect(await hashOf('star', '--config', 'old.yaml')).toBe(hash);
  const path = join(folder, 'named', 'run.json');
  const record = readFileSync(path, 'utf8');
  expect(record).toContain('"maxBackoffMs": 5000');
  writeFileSync(path, record.replace('"maxBackoffMs"', '"backoffMostMs"'));
  expect(await hashOf('star', '--config', join('named', 'run.json'))).toBe(hash);
  expect((await readRunJson(join(folder, 'named'))).experiment).toHaveProperty('maxBackoffMs', 5000);
});
