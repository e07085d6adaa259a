import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

// npm run test:timings [-- FILES]: runs the tests, and prints what each file took, the longest first.

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly unknown[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-timings-'));
const file = join(folder, 'report.json');
const flags = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`, ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...flags], {
  stdio: 'inherit',
});
const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
rmSync(folder, { recursive: true });
const rows = testResults
  .map(({ name, startTime, endTime, assertionResults: tests }) =>
    ({ name: relative(process.cwd(), name), ms: endTime - startTime, tests: tests.length }))
  .sort((a, b) => b.ms - a.ms);
const allMs = rows.reduce((sum, { ms }) => sum + ms, 0);
const lines = rows.map(({ name, ms, tests }) => {
  const share = ((100 * ms) / allMs).toFixed(1);
  return `${(ms / 1000).toFixed(1).padStart(7)} s ${share.padStart(5)} %  ${String(tests).padStart(5)} tests  ${name}\n`;
});
process.stdout.write(
  `\n${(allMs / 1000).toFixed(1)} s in ${rows.length} files, those that ran side by side added up:\n${lines.join('')}`,
);
process.exitCode = status ?? 1;
