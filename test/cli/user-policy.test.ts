import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { RunJson } from '../../src/core/measure/index.ts';
import { namesBelow, newFolder, orbweaver, orbweaverProcess } from './command.ts';
import { writeSmallWeb } from './input/small-web.ts';

// Goal: --policy takes a file wherever it takes a name, says that it runs it, and records which it was; whatever is
// wrong with it is one sentence and exit code 2, and leaves nothing behind.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });
writeSmallWeb(join(folder, 'web'));
const write = (name: string, text: string): void => { writeFileSync(join(folder, name), text); };
copyFileSync(
  fileURLToPath(new URL('../policy/user-policies/few-links-first.js', import.meta.url)), join(folder, 'my-policy.js'),
);
const said = 'policy ./my-policy.js: the file is run as code\n';
const policy = (fields: string): string => `export default { name: 'mine', title: 'a test', ${fields} };\n`;
const order = (key: string): string => policy(`make: () => ({ key: ${key}, score: () => 1 })`);

async function simulated(...args: string[]): Promise<RunJson<{ userPolicies: unknown[]; policyOptions: unknown }>> {
  const words = ['simulate', 'web', '--max-pages', '300', ...args, '--json'];
  const { code, stdout, stderr } = await orbweaver(words, folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: said });
  return JSON.parse(stdout) as Awaited<ReturnType<typeof simulated>>;
}

test('a file that is not there is refused, and not said to be run', async () => {
  write('study.yaml', 'graph: web\naxes: { policy: [opic, random] }\n');
  for (const command of [['simulate', 'web'], ['study', 'study.yaml']]) {
    expect(await orbweaver([...command, '--policy', './no.mjs'], folder)).toEqual({
      code: 2, stdout: '',
      stderr: './no.mjs: no such file; --policy takes the name of a policy, or a JavaScript file\n',
    });
  }
});

test('a file is run, said to be, recorded, and repeated from its record and from printed settings', async () => {
  const first = await simulated('--policy', './my-policy.js', '--policy-option', 'patience=1', '--out', 'run');
  expect(first.experiment.userPolicies).toEqual([
    expect.objectContaining({
      name: 'few-links-first', file: './my-policy.js', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    }),
  ]);
  expect(first.experiment.policyOptions).toMatchObject({ patience: 1 });
  const usual = await simulated('--policy', './my-policy.js');
  expect(usual.replayHash).not.toBe(first.replayHash);
  expect((await simulated('--config', 'run/run.json', '--trust')).replayHash).toBe(first.replayHash);

  const record = ['simulate', 'web', '--config', 'run/run.json', '--trust'];
  const printed = await orbweaver([...record, '--print-config'], folder);
  write('printed.yaml', printed.stdout);
  expect((await simulated('--config', 'printed.yaml')).replayHash).toBe(first.replayHash);
  write('short.yaml', 'policy: ./my-policy.js\npolicyOptions: { patience: 1 }\n');
  expect((await simulated('--config', 'short.yaml')).replayHash).toBe(first.replayHash);
  expect((await simulated('--policy', 'weighted', '--weights', './my-policy.js=2')).experiment.policyOptions)
    .toMatchObject({ weights: { 'few-links-first': 2 } });

  const read = await orbweaver(['simulate', 'web', '--max-pages', '9', '--policy', './my-policy.js'], folder);
  expect(read.stdout).toContain('Policy few-links-first (patience 100, few-links-first of ./my-policy.js)');

  write('my-policy.js', `${readFileSync(join(folder, 'my-policy.js'), 'utf8')}\n`);
  const changed = await orbweaver(record, folder);
  expect(changed).toMatchObject({ code: 2, stdout: '' });
  expect(changed.stderr.replace(said, '')).toMatch(
    /^\.\/my-policy\.js: is not the policy that the settings name: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}\n$/,
  );
  rmSync(join(folder, 'my-policy.js'));
  const missing = await orbweaver(record, folder);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('./my-policy.js: no such file');
  // What is not used is not run.
  const opic = await orbweaver(['simulate', 'web', '--config', 'run/run.json', '--policy', 'opic'], folder);
  expect(opic).toMatchObject({ code: 0, stderr: '' });
});

const faulty: [what: string, text: string, message: RegExp][] = [
  ['no default export', 'export const policy = 5;', /^\.\/bad\.js: has no default export; a policy file ends with /],
  [
    'a name in use', 'export default { name: "opic", title: "t", make: () => ({ key: () => 1, score: () => 1 }) };',
    /^policy opic of \.\/bad\.js: the name is in use already; choose another one$/,
  ],
  [
    'a key too great', order('() => 2 ** 31'),
    /^policy mine, page \d+: key returned 2147483648, but must be an integer from 0 to /,
  ],
  ['a negative key', order('() => -1'), /^policy mine, page \d+: key returned -1, but must be /],
  ['a key that is not an integer', order('() => 0.5'), /^policy mine, page \d+: key returned 0\.5, but must be /],
  ['a text as key', order('() => "first"'), /^policy mine, page \d+: key returned first, but must be /],
  [
    'an exception', order('(local) => local.page.first'),
    /^policy mine, page \d+: key failed: Cannot read properties of undefined \(reading 'first'\) \(\.\/bad\.js:1:\d+\)$/,
  ],
  [
    'an exception when made', policy('make: () => { throw new Error("no"); }'),
    /^policy mine: make failed: no \(\.\/bad\.js:1:\d+\)$/,
  ],
  [
    'nothing made', policy('make: () => undefined'),
    /^policy mine: make must return an object with the functions key and score$/,
  ],
  ['a fault in its text', 'export default {', /^\.\/bad\.js: cannot be run as a policy: /],
];

test.each(faulty)('%s: one sentence, exit code 2, nothing left behind', async (_, text, message) => {
  write('bad.js', text);
  const before = namesBelow(folder);
  const { code, stdout, stderr } = await orbweaver(
    ['simulate', 'star', '--policy', './bad.js', '--out', 'bad-run'], folder,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.replace('policy ./bad.js: the file is run as code\n', '').trimEnd()).toMatch(message);
  expect(namesBelow(folder)).toEqual(before);
});

test('an ES module in a package of CommonJS, as npm init writes it: the message says how to name the file', async () => {
  const packaged = newFolder();
  try {
    writeFileSync(join(packaged, 'package.json'), JSON.stringify({ name: 'mine', type: 'commonjs' }));
    const text = 'export default { name: "mine", title: "t", make: () => ({ key: () => 1, score: () => 1 }) };';
    for (const name of ['mine.js', 'mine.mjs']) writeFileSync(join(packaged, name), text);
    const { code, stderr } = await orbweaverProcess(['simulate', 'star', '--policy', './mine.js'], packaged);
    expect(code).toBe(2);
    expect(stderr.split('\n')).toEqual([
      'policy ./mine.js: the file is run as code',
      expect.stringMatching(
        /^\.\/mine\.js: is an ES module, but \S*package\.json has "type": "commonjs"; name the file mine\.mjs$/,
      ), '',
    ]);
    expect(await orbweaver(['simulate', 'star', '--policy', './mine.mjs'], packaged)).toMatchObject({ code: 0 });
  } finally {
    rmSync(packaged, { recursive: true });
  }
});

test('in a process of its own too', async () => {
  write('bad.js', order('() => NaN'));
  const { code, stdout, stderr } = await orbweaverProcess(['simulate', 'star', '--policy', './bad.js'], folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.split('\n')).toEqual([
    'policy ./bad.js: the file is run as code',
    expect.stringMatching(/^policy mine, page \d+: key returned NaN, but must be an integer from 0 to 2146435071$/), '',
  ]);
});

test('its settings are checked by what it says of them', async () => {
  write('own.js', policy(`
    options: { boldness: { type: 'number', minimum: 0, maximum: 1, default: 0.5, description: 'how bold' } },
    make: ({ options }) => ({ key: (local) => Math.floor(options.boldness * local), score: () => 1 })`));
  const run = async (...options: string[]): Promise<string> => {
    const args = ['simulate', 'star', '--policy', './own.js', ...options.flatMap((one) => ['--policy-option', one])];
    const { code, stderr } = await orbweaver(args, folder);
    return `${code}: ${stderr.replace('policy ./own.js: the file is run as code\n', '').trimEnd()}`;
  };
  expect(await run('boldness=0.25')).toBe('0: ');
  expect(await run('boldness=2')).toBe('2: --policy-option boldness=2: must be at most 1');
  expect(await run('boldnes=1')).toMatch(/^2: --policy-option boldnes=1: .*; did you mean boldness\?$/);
  expect(await run('boldness')).toMatch(/^2: --policy-option boldness: must be like name=0\.5/);
});

test('a study takes files as values of its axes; a live crawl and tuning take --policy', async () => {
  write('last.js', order('(local) => local'));
  write('study.yaml', 'graph: star\naxes:\n  policy: [opic, ./last.js]\n  seed: [1, 2]\n');
  const study = async (): Promise<{ code: number | null; stdout: string; stderr: string }> =>
    orbweaver(['study', 'study.yaml', '--threads', '2', '--cache', 'cache', '--out', 'study', '--json'], folder);
  const first = await study();
  expect(first.stderr).toBe('policy ./last.js: the file is run as code\n');
  const document = JSON.parse(first.stdout) as { runs: { values: unknown[] }[]; userPolicies: unknown[] };
  expect(document.runs.map(({ values }) => values[0])).toEqual(['opic', 'opic', 'mine', 'mine']);
  expect(document.userPolicies).toEqual([expect.objectContaining({ name: 'mine', file: './last.js' })]);
  const compared = await orbweaver(['compare', 'study', '--json'], folder);
  expect({ code: compared.code, stderr: compared.stderr }).toEqual({ code: 0, stderr: '' });
  expect(compared.stdout).toContain('mine');

  write('last.js', order('(local) => local / 2'));
  expect(await study()).toMatchObject({
    code: 2, stderr: expect.stringMatching(/policy mine, page \d+: key returned 0\.5/) as string,
  });
  write('study.yaml', 'graph: star\naxes:\n  policy: [opic, ./none.js]\n');
  expect(await study()).toMatchObject({
    code: 2, stderr: expect.stringContaining('./none.js: no such file') as string,
  });

  write('last.js', order('(local) => local'));
  const tuned = await orbweaver(['tune', 'star', '--policy', './last.js', '--threads', '1', '--json'], folder);
  expect(tuned).toMatchObject({ code: 0, stderr: 'policy ./last.js: the file is run as code\n' });
});

test('help lists every policy with what it does, and the file', async () => {
  const { stdout } = await orbweaver(['simulate', '--help'], folder);
  expect(stdout).toMatch(/^ {2}larger-sites-first {2}from the host with the most waiting pages$/m);
  expect(stdout).toMatch(/^ {2}\.\/my-policy\.js {6}your own policy: /m);
  expect(stdout).toMatch(/--opic-window <X>\s+for\s+opic-window:\s+size\s+of\s+the\s+window/);
});
