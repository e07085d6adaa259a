import { execFileSync, spawnSync } from 'node:child_process';
import { testsOf } from './sweep-files.ts';

// npm run test:near [-- --list]: runs the tests that import, by whatever way, a file that differs from the last commit,
// or lists them. npm run test:near -- FILE... does so for these files.

const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const git = (...words: string[]): string[] =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter((line) => line !== '');
const changed = given.length > 0 ? given
  : [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
const tests = testsOf(changed);
process.stdout.write([`${changed.length} files, ${tests.length} files of tests`, ...tests, ''].join('\n'));
if (tests.length > 0 && !process.argv.includes('--list')) {
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'everything', ...tests];
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
}
