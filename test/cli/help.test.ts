import { execFileSync, spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/graphs/catalogue/index.ts';
import { completionScript } from '../../src/cli/help/completion.ts';
import { manPage } from '../../src/cli/help/man-page.ts';
import { topicTexts } from '../../src/cli/help/topics.ts';
import { allWords, wordsOf } from '../../src/cli/help/words.ts';
import { newProgram, run } from '../../src/cli/program.ts';
import { formatNames } from '../../src/graphs/formats/index.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: help, completion and the manual page say what the command line is, because they are made from it.

const silent = { write: () => undefined };
const program = await newProgram({ stdout: silent, stderr: silent });
const { file } = temporaryFolder();
const has = (tool: string): boolean => spawnSync(tool, ['--version']).error === undefined;

async function printed(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' };
  const code = await run(words, {
    stdout: { write: (text) => { texts.stdout += text; } }, stderr: { write: (text) => { texts.stderr += text; } },
  });
  return { code, ...texts };
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

describe('help', () => {
  test('no flag of a command with many is without a heading, but for its own few', () => {
    for (const command of everyCommand(program)) {
      const plain = command.options.filter(({ hidden, helpGroupHeading }) => !hidden && helpGroupHeading === undefined);
      expect([command.name(), plain.length <= 14]).toEqual([command.name(), true]);
      const outputs = plain.filter(({ long }) => ['--json', '--out', '--config'].includes(long ?? ''));
      expect(outputs).toEqual([]);
    }
  });

  test('the list of commands has a sentence for each, under headings', async () => {
    const { stdout, code } = await printed('--help');
    expect(code).toBe(0);
    for (const command of program.commands) expect(stdout).toContain(`\n  ${command.name()} `);
    expect(stdout).toMatch(/Most used:\n {2}simulate [^]*\n {2}help [^]*\n\nGraphs:\n {2}info[^]*\n\nMore:/);
    // A line for each.
    const lines = stdout.split('\n');
    for (const command of program.commands) {
      const at = lines.findIndex((line) => line.startsWith(`  ${command.name()} `));
      expect(lines[at + 1]).toMatch(/^( {2}[a-z]|$)/);
    }
  });

  test.each([['graphbench', 'bench graphs'], ['merge', 'cluster merge'], ['worker', 'cluster worker']])(
    '%s is an earlier name of %s', async (earlier, name) => {
      const { stdout, code } = await printed(earlier, '--help');
      expect([code, stdout]).toEqual([0, (await printed(...name.split(' '), '--help')).stdout]);
      expect(stdout).toMatch(new RegExp(`^Usage: orbweaver ${name} `));
      expect((await printed('help', earlier)).stdout).toBe(stdout);
    });

  test('the list of commands does not have earlier names', async () => {
    expect((await printed('--help')).stdout).not.toMatch(/^ {2}(graphbench|merge|worker) /m);
  });

  test('topics name all that is registered', async () => {
    const of = async (topic: string): Promise<string> => (await printed('help', topic)).stdout;
    for (const { name, title } of shippedPolicies.settings.policies) {
      expect(await of('policies')).toMatch(new RegExp(`^ {2}${name} +${title.slice(0, 20)}`, 'm'));
    }
    for (const name of formatNames) expect(await of('formats')).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(await of('measures')).toMatch(/^ {2}rankGathered +share of the PageRank/m);
    expect(await of('units')).toMatch(/^ {2}duration +d, h, m, s, ms, us/m);
    for (const text of Object.values(topicTexts)) {
      for (const line of text().split('\n')) expect(line.length).toBeLessThan(120);
    }
  });

  test('of a command within another, and of one that is not there', async () => {
    expect((await printed('help', 'datasets', 'list')).stdout).toMatch(/^Usage: orbweaver datasets list/);
    expect((await printed('help')).stdout).toMatch(/^Usage: orbweaver \[options\]/);
    expect(await printed('help', 'simulat')).toMatchObject({
      code: 2, stderr: expect.stringMatching(/^help simulat: must be one of .*; did you mean simulate\?\n$/) as string,
    });
  });

  test('a flag of a command within another that is unknown names that command', async () => {
    const { stderr, code } = await printed('datasets', 'list', '--jsn');
    expect(stderr).toBe("unknown option '--jsn' (Did you mean --json?); see orbweaver datasets list --help\n");
    expect(code).toBe(2);
  });
});

describe('completion', () => {
  test('words of all commands and shown flags, with the values that the schemas allow', () => {
    const all = allWords(wordsOf(program));
    expect(all.map(({ path }) => path)).toContain('datasets list');
    const { flags } = all.find(({ path }) => path === 'simulate')!;
    expect(flags.find(({ name }) => name === 'queue')?.value).toEqual(['quickheap', 'cbt', 'binary-heap']);
    expect(flags.find(({ name }) => name === 'policy')?.value).toContain('opic');
    expect(flags.find(({ name }) => name === 'out')?.value).toBe('folder');
    expect(flags.map(({ name }) => name)).not.toContain('queue-memory');
  });

  test('bash completes commands, flags, values and graphs', () => {
    const script = file('orbweaver.bash', completionScript('bash', program));
    const completed = (...words: string[]): string[] => execFileSync('bash', ['-c', `
      . "${script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _orbweaver; printf '%s\\n' "\${COMPREPLY[@]}"
    `, 'bash', 'orbweaver', ...words], { encoding: 'utf8', env: { ...process.env, ORBWEAVER_DATASETS: '/none' } })
      .split('\n').filter(Boolean);
    expect(completed('si')).toEqual(['simulate']);
    expect(completed('datasets', 'l')).toEqual(['list']);
    expect(completed('datasets', 'list', '--js')).toEqual(['--json']);
    expect(completed('simulate', 'docs-web', '--policy', 'op')).toEqual(['opic', 'opic-cycle', 'opic-window']);
    expect(completed('simulate', 'docs-')).toEqual(['docs-web']);
    expect(completed('simulate', '')).toEqual(expect.arrayContaining(catalogue.map(({ name }) => name)));
    expect(completed('crawl', '--robots-txt', '')).toEqual(['obey', 'ignore']);
    expect(completed('bench', 'graphs', '--scc', 'tarjan-')).toEqual(['tarjan-batch']);
    expect(completed('help', 'un')).toEqual(['units']);
    expect(completed('completion', 'f')).toEqual(['fish']);
    expect(completed('simulate', 'star', '--max-pages', '')).toEqual([]);
  });

  test.skipIf(!has('zsh'))('zsh accepts its script', () => {
    const script = file('_orbweaver', completionScript('zsh', program));
    execFileSync('zsh', ['-n', script]);
  });

  test.skipIf(!has('fish'))('fish accepts its script', () => {
    const script = file('orbweaver.fish', completionScript('fish', program));
    execFileSync('fish', ['--no-execute', script]);
  });

  test('every command is in the script of fish', () => {
    for (const { path } of allWords(wordsOf(program)).slice(1))
      expect(completionScript('fish', program)).toContain(` -a ${path.split(' ').at(-1)!} -d '`);
  });
});

describe('the manual page', () => {
  test('has every command and every shown flag', () => {
    const text = manPage(program).replaceAll('\\-', '-');
    for (const command of everyCommand(program).slice(1)) {
      expect(text).toMatch(new RegExp(`^\\.SS orbweaver .*${command.name()}`, 'm'));
      for (const { flags, hidden } of command.options) if (!hidden) expect(text).toContain(`\n.B ${flags}\n`);
    }
  });

  test.skipIf(!has('groff'))('groff has no warning about it', () => {
    const { stderr, status } = spawnSync('groff', ['-mandoc', '-ww', '-Tutf8'], {
      input: manPage(program), encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  test.skipIf(!has('mandoc'))('mandoc finds no error in it', () => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'error'], {
      input: manPage(program), encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });
});
