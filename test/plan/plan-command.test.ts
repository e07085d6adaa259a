import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orbweaver } from '../cli/command.ts';
import { writeSmallWeb } from '../cli/input/small-web.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: the command answers with what its flags or its file ask for, and says what is wrong with them.

const { folder } = temporaryFolder();
const cache = join(folder, 'cache');
writeSmallWeb(join(folder, 'web'));

describe('a plan file', () => {
  const file = join(folder, 'plan.yaml');
  writeFileSync(file, [
    'graph: ./web', 'goal: [40% of rank, 300 pages]', 'within: 30m', 'machines: 2', 'robots: 16',
    'cost: machine=0.40/h,traffic=0.05/GB', 'vary: { policy: [opic, round-robin], robots: [16, 8] }',
    'experiment: { network: { preset: web } }',
  ].join('\n'));

  test('asks as flags do; flags win', async () => {
    const out = join(folder, 'out');
    const own = ['--cache', cache, '--threads', '1'];
    const { stdout } = await orbweaver(['plan', file, ...own, '--json', '--out', out], folder);
    const plan = JSON.parse(stdout) as {
      feasible: boolean; best: { settings: object; simulate: string; crawl: string; runs: number[] };
      runs: { id: number; pages: number }[]; limits: string[];
    };
    expect(plan.feasible).toBe(true);
    expect(plan.best.simulate).toMatch(/^orbweaver simulate \.\/web --processors 2 --robots (8|16) .*--network web/);
    expect(plan.best.crawl).toMatch(/^orbweaver crawl URL\.\.\. --contact MAIL (?!.*--network)/);
    const finals = plan.runs.filter(({ id }) => plan.best.runs.includes(id));
    for (const { pages } of finals) expect(pages).toBeGreaterThanOrEqual(300);
    expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toEqual(plan);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('The answer');
    const again = await orbweaver(
      plan.best.simulate.split(' ').slice(1).concat('--json'), folder,
    );
    const { summary } = JSON.parse(again.stdout) as {
      summary: { pagesFetched: number; rankGathered: { ofReachable: number } };
    };
    expect(summary.pagesFetched).toBeGreaterThanOrEqual(300);
    expect(summary.rankGathered.ofReachable).toBeGreaterThanOrEqual(0.39);
    const longer = ['--retries', '2', '--backoff-ms', '2000', '--reinsert', '1.25'];
    const faster = await orbweaver(['plan', file, ...own, ...longer, '--within', '2s'], folder);
    expect(faster.stdout).toContain('No set-up that was tried reaches 40 % of the rank and 300 pages within 2.00 s');
    expect(faster.stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const lines = /^Show it\n(.*)^Do it$/ms.exec(faster.stdout)![1];
    expect(lines).toContain(' \\\n');
    const { stdout: json } = await orbweaver(['plan', file, ...own, ...longer, '--within', '2s', '--json'], folder);
    expect(lines.replace(/ \\\n +/g, ' ').trim()).toBe((JSON.parse(json) as typeof plan).best.simulate);
  });

  test.each([
    ['goals: 80% of rank', /goals/], ['graph: docs-web\nwithin: 1h\nmachines: none', /machines/],
    ['graph: [', /bad\.yaml/], ['graph: docs-web\ngoal: 80% of rank\nvary: [speed]', /vary/],
  ])('%j is refused with its place', async (text, why) => {
    const bad = join(folder, 'bad.yaml');
    writeFileSync(bad, text);
    const { code, stderr } = await orbweaver(['plan', bad], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
  });
});

test.each([
  [[], /name a goal/], [['--goal', '101% of rank'], /more than 100 %/], [['--within', '-1h'], /negative/],
  [['--within', '1h', '--machines', '0'], /machines 0: must be from 1/],
  [['--within', '1h', '--cost', 'disk=1/GB'], /disk has no price/],
  [['--within', '1h', '--vary', 'superstep-limits'], /did you mean superstep-limit\?/],
  [['--within', '1h', '--superstep-limit', 'auto'], /a plan compares values itself/],
  [['--within', '1h', '--policy', 'opic', '--vary', 'policy'], /policy is set/],
])('plan star %j is refused', async (flags, why) => {
  const out = join(folder, 'refused');
  const { code, stderr } = await orbweaver(['plan', 'star', ...flags, '--out', out], folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(why);
  expect(existsSync(out) || existsSync(`${out}.partial`)).toBe(false);
});
