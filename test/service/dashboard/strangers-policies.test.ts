import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { idOfFolder } from '../../../src/views/service/dashboard/runs/recorded-runs.ts';
import type { ApiError, ListedRun, NewRun, RunView } from '../../../src/views/service/dashboard/api.ts';
import { orbweaver } from '../../cli/command.ts';
import { writeSmallWeb } from '../../cli/input/small-web.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { tries } from '../../sweep.ts';
import { servedDashboard } from './served.ts';

// Goal: whatever is asked of a dashboard, and whatever the records in its folders name, no file is run as a policy but
// by a fork that says that it trusts the record.

const { folder } = temporaryFolder();
const served = servedDashboard(folder);
const at = (...names: string[]): string => join(folder, ...names);
const marker = at('was-run');
const file = at('evil.js');
let sha256: string;

beforeAll(async () => {
  writeSmallWeb(at('web'));
  writeFileSync(file, `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(marker)}, 'run');
    export default { name: 'mine', title: 'a test', make: () => ({ key: (local) => local, score: () => 1 }) };\n`);
  sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const run = ['simulate', at('web'), '--policy', file, '--max-pages', '40', '--superstep-ms', '1000'];
  expect(await orbweaver([...run, '--out', at('runs', 'own')], folder)).toMatchObject({ code: 0 });
  await orbweaver(['import', at('web'), '--out', at('graph.owg')], folder);
  // A crawl, as far as commands look before they read its settings.
  mkdirSync(at('crawl'));
  for (const [from, to] of [['graph.owg', 'graph.owg'], ['runs/own/run.json', 'run.json']])
    writeFileSync(at('crawl', to), readFileSync(at(from)));
  writeFileSync(at('crawl', 'crawl.log'), '');
  rmSync(marker);
});

const study = (experiment: object, axes: object): string => JSON.stringify({ graph: at('web'), experiment, axes });
const facts = { name: 'mine', title: 't', options: {}, needs: [], isOracle: false, file };
/** Settings that name the file in one place or another. */
const settings = fc.constantFrom(
  {}, { policy: file }, { policy: 'mine', userPolicies: [facts] },
  { policy: 'weighted', policyOptions: { weights: { [file]: 2 } } }, { config: file }, { trust: true },
);
const asked: fc.Arbitrary<NewRun> = fc.oneof(
  fc.record({
    kind: fc.constant('fork' as const), run: fc.constant(idOfFolder(at('runs', 'own'))), at: fc.nat(3), settings,
  }),
  fc.record({ kind: fc.constant('simulation' as const), graph: fc.constantFrom(at('crawl'), file), settings }),
  fc.record({ kind: fc.constant('live' as const), seeds: fc.constant<string[]>([file]), settings }),
  fc.record({
    kind: fc.constant('plan' as const), graph: fc.constant(at('crawl')), settings,
    goal: fc.constant<string[]>(['50 % of rank']),
  }),
  fc.record({ kind: fc.constant('tune' as const), graph: fc.constant(at('crawl')), settings }),
  fc.record({
    kind: fc.constant('study' as const),
    yaml: fc.constantFrom(
      study({ policy: file }, { seed: [1] }), study({}, { policy: [file, 'opic'] }),
      study({ policy: 'weighted' }, { 'policyOptions.weights': [{ [file]: 1 }] }),
    ),
  }),
);

/** What the list says of a run. */
async function stateOf(id: string): Promise<string | undefined> {
  return ((await served.ask('/api/runs')).body as { runs: ListedRun[] }).runs.find((run) => run.id === id)?.state;
}

test('no request runs a file that it, or a record, names', { timeout: 180_000 }, async () => {
  await fc.assert(fc.asyncProperty(asked, async (run) => {
    const { status, body } = await served.ask('/api/runs', run);
    // A run may open before it meets its fault, which is then in the list.
    if (status === 201) await expect.poll(() => stateOf((body as { id: string }).id)).toBe('failed');
    else expect(status).toBe(400);
    expect(existsSync(marker)).toBe(false);
    const { error } = body as ApiError;
    if (run.kind === 'fork' && Object.keys(run.settings).length === 0) {
      expect(error).toContain(`names the policy file ${file}`);
      expect(error).toContain(sha256);
    }
  }), { numRuns: tries(200) });
});

test('a fork that trusts the record goes on under its policy', { timeout: 60_000 }, async () => {
  const id = idOfFolder(at('runs', 'own'));
  const { body, status } = await served.ask('/api/runs', { kind: 'fork', run: id, at: 1, settings: {}, trust: true });
  expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String) as string } });
  const view = async (): Promise<RunView> =>
    (await served.ask(`/api/runs/${(body as { id: string }).id}`)).body as RunView;
  await expect.poll(async () => (await view()).listed.state, { timeout: 30_000 }).toBe('finished');
  const own = (await served.ask(`/api/runs/${id}`)).body as RunView;
  expect((await view()).listed.figures).toEqual(own.listed.figures);
});
