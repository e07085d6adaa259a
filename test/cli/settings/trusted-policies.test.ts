import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFullSweep, tries } from '../../sweep.ts';
import { namesBelow, newFolder, orbweaver } from '../command.ts';
import { writeSmallWeb } from '../input/small-web.ts';

// Goal: a record is data. Whatever file of a policy it names, in whatever place of it, and by whatever command it is
// read, the file is not run unless the user names it too or trusts the record; the message has file and checksum.

const folder = newFolder();
afterAll(() => { rmSync(folder, { recursive: true }); });
const at = (...names: string[]): string => join(folder, ...names);
const marker = at('was-run');
const short = ['simulate', 'web', '--policy', './evil.js', '--max-pages', '40', '--superstep-ms', '1000'];

type Json = Record<string, unknown>;
type Drawn = typeof form extends fc.Arbitrary<infer T> ? T : never;
let simulated: Json & { experiment: Json & { policyOptions: Json; userPolicies: Json[] } };
let [crawled, sha256] = [{} as Json, ''];

/** A policy that says when it is run. Modules are loaded once per process: each case has a text of its own. */
function writePolicy(number: number): void {
  writeFileSync(at('evil.js'), `// ${number}
    import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(marker)}, 'run');
    export default { name: 'mine', title: 'a test', make: () => ({ key: (local) => local, score: () => 1 }) };\n`);
  sha256 = createHash('sha256').update(readFileSync(at('evil.js'))).digest('hex');
  rmSync(marker, { force: true });
}

beforeAll(async () => {
  writeSmallWeb(at('web'));
  mkdirSync(at('sub'));
  writePolicy(0);
  symlinkSync(at('evil.js'), at('linked.js'));
  expect(await orbweaver([...short, '--out', 'run'], folder)).toMatchObject({ code: 0 });
  simulated = JSON.parse(readFileSync(at('run', 'run.json'), 'utf8')) as typeof simulated;
  // Of a live crawl, as far as commands look before they read its settings.
  await orbweaver(['import', 'web', '--out', 'graph.owg'], folder);
  mkdirSync(at('crawl'));
  copyFileSync(at('graph.owg'), at('crawl', 'graph.owg'));
  writeFileSync(at('crawl', 'crawl.log'), '');
  crawled = { ...simulated, experiment: { ...simulated.experiment, network: undefined, live: {} } };
});

/** Where a record can name a file. */
const places = {
  policy: (file: string) => ({ policy: file, userPolicies: undefined }),
  named: (file: string, checksum: string | undefined) => ({ userPolicies: [facts(file, checksum)] }),
  weights: (file: string) => ({
    policy: 'weighted', policyOptions: { weights: { [file]: 2 } }, userPolicies: undefined,
  }),
  weightsNamed: (file: string, checksum: string | undefined) => ({
    policy: 'weighted', policyOptions: { weights: { mine: 1 } }, userPolicies: [facts(file, checksum)],
  }),
} satisfies Record<string, (file: string, checksum: string | undefined) => Json>;

const facts = (file: string, checksum: string | undefined): Json =>
  ({ ...simulated.experiment.userPolicies[0], file, ...(checksum !== undefined && { sha256: checksum }) });

/** How it is read: the command, and the record that it reads. */
const readings = {
  simulateConfig: ['record.json', 'simulate', 'web', '--config', 'record.json'],
  simulateYaml: ['record.yaml', 'simulate', 'web', '--config', 'record.yaml'],
  simulateCapitals: ['RUN.JSON', 'simulate', 'web', '--config', 'RUN.JSON'],
  printed: ['record.json', 'simulate', 'web', '--config', 'record.json', '--print-config'],
  repeated: ['record.json', 'simulate', 'web', '--config', 'record.json', '--repeat', '2'],
  tuneConfig: ['record.json', 'tune', 'web', '--config', 'record.json'],
  planConfig: ['record.json', 'plan', 'web', '--goal', '50 % of rank', '--config', 'record.json'],
  crawlConfig: ['crawl.json', 'crawl', 'http://127.0.0.1:9/', '--config', 'crawl.json', '--out', 'new-crawl'],
  fork: ['run/run.json', 'simulate', 'web', '--from', 'run', '--at', '1'],
  forkElsewhere: ['run/run.json', 'simulate', 'web', '--from', 'run', '--at', '1', '--robots', '2'],
  killed: ['killed.partial/started.json', 'simulate', 'web', '--config', 'killed.partial/started.json'],
  crawlFolder: ['crawl/run.json', 'simulate', 'crawl'],
  crawlFolderTuned: ['crawl/run.json', 'tune', 'crawl'],
  crawlFolderPlanned: ['crawl/run.json', 'plan', 'crawl', '--goal', '50 % of rank'],
} satisfies Record<string, string[]>;

const files = ['./evil.js', at('evil.js'), 'sub/../evil.js', './linked.js'];
const form = fc.record({
  place: fc.constantFrom(...Object.keys(places) as (keyof typeof places)[]),
  reading: fc.constantFrom(...Object.keys(readings) as (keyof typeof readings)[]),
  file: fc.constantFrom(...files),
  checksum: fc.constantFrom('right', 'wrong', 'none'),
  /** Settings without the rest of a record pass for a user's own. */
  isBare: fc.boolean(),
  isLeg: fc.boolean(),
});

/** Writes the record of a case. */
function writeRecord({ place, reading, file, checksum, isBare, isLeg }: Drawn): void {
  const [name] = readings[reading];
  const whole = name.startsWith('crawl') ? crawled : simulated;
  const recorded = checksum === 'right' ? sha256 : checksum === 'wrong' ? 'f'.repeat(64) : undefined;
  const experiment = { ...whole['experiment'] as Json, ...places[place](file, recorded) };
  const isFolder = reading.startsWith('fork');
  const harmless = { ...simulated.experiment, policy: 'opic', userPolicies: undefined };
  const record = isLeg && !name.startsWith('crawl')
    ? {
        ...whole, experiment: harmless,
        forkOf: { folder: at('run'), replayHash: null, superstep: 1, legs: [{ experiment, untilSuperstep: 1 }] },
      }
    : { ...whole, experiment };
  const named = name === 'RUN.JSON' || name.includes('/');
  mkdirSync(at('killed.partial'), { recursive: true });
  writeFileSync(at(name), JSON.stringify(isBare && named && !isFolder && !isLeg ? experiment : record));
}

test('no command runs a file that only a record names', { timeout: 120_000 }, async () => {
  let number = 0;
  await fc.assert(fc.asyncProperty(form, async (drawn) => {
    writePolicy(++number);
    writeRecord(drawn);
    const before = namesBelow(folder);
    const [name, ...words] = readings[drawn.reading];
    const { code, stdout, stderr } = await orbweaver(words, folder);
    expect({ code, stdout, ran: existsSync(marker) }).toEqual({ code: 2, stdout: '', ran: false });
    expect(stderr).toContain(`${name}: names the policy file ${drawn.file}, which would be run as code`);
    expect(stderr).toContain(sha256);
    expect(stderr).toContain('--trust');
    expect(stderr.trim()).not.toContain('\n');
    expect(namesBelow(folder)).toEqual(before);
  }), { numRuns: tries(1000) });
});

test.runIf(isFullSweep)('with --trust, or named by the user too, it runs as it ran', { timeout: 60_000 }, async () => {
  writePolicy(-1);
  const hashOf = async (...words: string[]): Promise<{ hash: string; said: string[] }> => {
    const { code, stdout, stderr } = await orbweaver([...words, '--json'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) as string });
    return { hash: (JSON.parse(stdout) as { replayHash: string }).replayHash, said: stderr.trim().split('\n') };
  };
  const { hash } = await hashOf(...short, '--out', 'own');
  const said = (file: string): string[] => [`policy ${file}: the file is run as code`];
  const record = ['simulate', 'web', '--config', 'own/run.json'];
  expect(await hashOf(...record, '--trust')).toEqual({ hash, said: said('./evil.js') });
  for (const file of files) expect(await hashOf(...record, '--policy', file)).toEqual({ hash, said: said(file) });
  const fork = ['simulate', 'web', '--from', 'own', '--at', '1'];
  expect(await hashOf(...fork, '--trust')).toEqual({ hash, said: said('./evil.js') });
  expect(await hashOf(...fork, '--policy', at('evil.js'))).toEqual({ hash, said: said(at('evil.js')) });

  // The part of the run before the fork is under the policy of the record, whatever comes after it.
  const other = [...fork, '--policy', 'breadth-first'];
  expect(await orbweaver(other, folder)).toMatchObject({ code: 2, stdout: '' });
  expect((await hashOf(...other, '--trust')).said).toEqual(said('./evil.js'));

  // Of what has a part in a composition, the flag that names it is --weights.
  const weighted = await hashOf(
    'simulate', 'web', '--policy', 'weighted', '--weights', './evil.js=2,opic=1', '--max-pages', '40', '--out', 'parts',
  );
  const parts = ['simulate', 'web', '--config', 'parts/run.json'];
  expect(await orbweaver(parts, folder)).toMatchObject({ code: 2, stdout: '' });
  expect((await hashOf(...parts, '--weights', 'sub/../evil.js=2,opic=1')).hash).toBe(weighted.hash);
  expect((await hashOf(...parts, '--trust')).hash).toBe(weighted.hash);
  // What a flag has replaced is not asked for.
  expect((await hashOf(...parts, '--policy', 'opic')).said).toEqual(['']);

  const before = sha256;
  writePolicy(-2);
  expect((await hashOf(...record, '--policy', './evil.js')).said).toContain(
    `policy ./evil.js: is not the file of own/run.json: its SHA-256 is ${sha256}, not ${before}`,
  );
  const { code, stderr } = await orbweaver([...record, '--trust'], folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`its SHA-256 is ${sha256}, not ${before}`)]);
});

test.runIf(process.platform !== 'win32')('a record that names no regular file is refused at once', async () => {
  execFileSync('mkfifo', [at('pipe.js')]);
  for (const file of ['./pipe.js', '/dev/zero', './sub', './none.js', '/proc/self/mem', './\u001b[31mred.js']) {
    const experiment = { ...simulated.experiment, userPolicies: [facts(file, undefined)] };
    writeFileSync(at('record.json'), JSON.stringify({ ...simulated, experiment }));
    const { code, stderr } = await orbweaver(['simulate', 'web', '--config', 'record.json'], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^record\.json: names the policy file [^\u001b\n]+; (it cannot be read here|its SHA-256 is \w{64})[^\n]*\n$/,
    );
    const trusted = await orbweaver(['simulate', 'web', '--config', 'record.json', '--trust'], folder);
    expect([trusted.code, trusted.stdout]).toEqual([2, '']);
  }
});
