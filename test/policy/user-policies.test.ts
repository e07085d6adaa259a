import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import {
  definePolicy, loadPolicy, parseExperiment, shippedPolicies, type PageOrder, type PolicyDefinition,
} from '../../src/core/policy/index.ts';
import { runStudy, studyOf } from '../../src/questions/study/index.ts';
import { tune } from '../../src/core/engine/index.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';
import { docsWeb as graph, docsWebPrepared as docs } from '../docs-web.ts';

// Goal: a policy of a user's, as an object or from a file, orders a crawl as any other does; what is wrong with it is
// one sentence that names it, and the page; its record says which it was.

const { folder, file } = temporaryFolder();
const short = { maxPages: 200, processors: 2 } as const;
const fewLinks = fileURLToPath(new URL('user-policies/few-links-first.js', import.meta.url));

const inOrder: PageOrder = { key: (local) => 1000 - (local % 1000), score: () => 1 };
const policyOf = (order: Partial<PageOrder>, more: Partial<PolicyDefinition> = {}): PolicyDefinition =>
  definePolicy({ name: 'mine', title: 'a test', make: () => ({ ...inOrder, ...order }), ...more });

describe('a policy as an object', () => {
  test('crawls as the policy that it copies, also by itself in weighted', async () => {
    const mine = definePolicy({ name: 'mine', title: 'the page known last', make: () => ({
      key: (local) => local, score: (local) => 1 + local,
    }) });
    const options = { policies: [mine] };
    const copied = await simulate(docs, { ...short, policy: 'depth-first' });
    const { run } = await simulate(docs, { ...short, policy: 'mine' }, options);
    expect(run.replayHash).toBe(copied.run.replayHash);
    expect(run.experiment.userPolicies).toEqual([
      { name: 'mine', title: 'the page known last', options: {}, needs: [], isOracle: false },
    ]);
    const weights = { mine: 2 };
    const alone = await simulate(docs, { ...short, policy: 'weighted', policyOptions: { weights } }, options);
    expect(alone.events.order).toEqual(copied.events.order);
    expect(await inputErrorOf(simulate(docs, run.experiment))).toBe(
      'policy mine: was passed to the run as an object; pass it again, or name its file (--policy ./FILE)',
    );
    // No trial makes it.
    const star = await openGraph('star');
    const [tuned] = await tune(star, { policy: 'mine', processors: 1 }, [1], { ...options, threads: 1 });
    expect(tuned.sweep.length).toBeGreaterThan(0);
  });

  test('may rest on another policy, and is saved and restored with it where processors crash', async () => {
    const mine = definePolicy({
      name: 'mine', title: 'as opic, later pages first', needs: ['amounts'],
      make({ order, state }) {
        const opic = order('opic');
        const page = state.pages({ seen: Float64Array });
        return {
          ...opic,
          know: (local, page_, host) => {
            opic.know?.(local, page_, host);
            page.seen[local] = state.known;
          },
          key: (local) => Math.floor(page.seen[local]),
          score: (local) => page.seen[local],
        };
      },
    });
    const crashing = { ...short, network: { crashSeconds: 20 }, checkpointSupersteps: 1, maxPages: 800 } as const;
    const { run, events } = await simulate(docs, { ...crashing, policy: 'mine' }, { policies: [mine] });
    expect(events.crashes.length).toBeGreaterThan(0);
    const again = await simulate(docs, run.experiment, { policies: [mine] });
    expect(again.run.replayHash).toBe(run.replayHash);
  });

  test('has settings of its own, and is given ranks only where it says that it needs them', async () => {
    const seen: unknown[] = [];
    const mine = policyOf({}, {
      options: { boldness: { type: 'number', minimum: 0, maximum: 1, default: 0.5, description: 'how bold' } },
      make: ({ options, ranks }) => {
        seen.push(options, ranks);
        return inOrder;
      },
    });
    const policies = [mine];
    const of = (boldness?: number) => ({
      ...short, processors: 1, policy: 'mine', ...(boldness !== undefined && { policyOptions: { boldness } }),
    });
    const { run } = await simulate(docs, of(), { policies });
    await simulate(docs, of(0.75), { policies });
    expect(seen).toEqual([{ boldness: 0.5 }, undefined, { boldness: 0.75 }, undefined]);
    expect(run.experiment.policyOptions).toMatchObject({ boldness: 0.5, opicRoot: 'keep' });
    expect(await inputErrorOf(simulate(docs, of(2), { policies }))).toMatch(/experiment\.policyOptions\.boldness/);
    const knowing = { ...mine, needs: ['ranks' as const] };
    await simulate(docs, { ...short, processors: 1, policy: 'mine' }, { policies: [knowing] });
    expect(seen.at(-1)).toBeInstanceOf(Float64Array);
  });

  const throwing = (): never => { throw new TypeError('oh\nno'); };
  test.each<[string, Partial<PageOrder>, RegExp]>([
    [
      'a negative key', { key: () => -1 },
      /^policy mine, page \d+: key returned -1, but must be an integer from 0 to 2146435071$/,
    ],
    ['a key too great', { key: () => 0x7ff00000 }, /^policy mine, page \d+: key returned 2146435072, but must be /],
    ['a broken key', { key: () => 0.5 }, /^policy mine, page \d+: key returned 0\.5, but must be /],
    [
      'a key that is no number', { key: () => undefined as never },
      /^policy mine, page \d+: key returned undefined, but must be /,
    ],
    [
      'an invalid score', { score: () => NaN },
      /^policy mine, page \d+: score returned NaN, but must be a finite number, at least 0$/,
    ],
    ['an exception in key', { key: throwing }, /^policy mine, page \d+: key failed: oh no$/],
    ['an exception in know', { know: throwing }, /^policy mine, page \d+: know failed: oh no$/],
    ['an exception in fetched', { fetched: throwing }, /^policy mine, page \d+: fetched failed: oh no$/],
    ['an exception in settle', { settle: throwing }, /^policy mine: settle failed: oh no$/],
    [
      'a page that nobody knows', { settle: (touch) => { touch(1e9); } },
      /^policy mine: settle failed: touched page 1000000000, and \d+ are known$/,
    ],
    [
      'an invalid amount', { amounts: { credit: () => undefined, spread: () => NaN } },
      /^policy mine, page \d+: amounts\.spread returned NaN, but must be a finite number$/,
    ],
  ])('with %s is one sentence', async (_, order, message) => {
    const run = simulate(docs, { ...short, policy: 'mine' }, { policies: [policyOf(order)] });
    expect(await inputErrorOf(run)).toMatch(message);
  });

  test.each<[string, Partial<Record<keyof PolicyDefinition, unknown>>, string]>([
    [
      'a name with a blank', { name: 'my policy' },
      'policy my policy: a name consists of lower-case letters, digits and hyphens, like round-robin',
    ],
    ['no title', { title: undefined }, 'policy mine: title must be a line of at most 120 characters'],
    [
      'a need nobody can meet', { needs: ['luck'] },
      'policy mine: needs must be a list of amounts, links, hosts, draws, ranks, scores',
    ],
    ['no make', { make: undefined }, 'policy mine: make must be a function'],
    [
      'a default out of range', { options: { n: { type: 'integer', maximum: 3, default: 5, description: 'n' } } },
      'policy mine: option n needs a default within its range',
    ],
    [
      'an option of no type', { options: { n: { default: 5, description: 'n' } } },
      'policy mine: option n must have type number or integer, or an enum of strings',
    ],
  ])('with %s is refused when it is defined', (_, more, message) => {
    expect(() => policyOf({}, more as Partial<PolicyDefinition>)).toThrow(message);
  });

  test('with a name in use, or a setting that another means differently, is refused', async () => {
    const clash = (more: Partial<PolicyDefinition>) =>
      inputErrorOf(simulate(docs, short, { policies: [policyOf({}, more)] }));
    expect(await clash({ name: 'opic' })).toBe('policy opic: the name is in use already; choose another one');
    expect(await clash({ options: { hostUrls: { type: 'integer', default: 1, description: 'x' } } })).toBe(
      'policy mine: option hostUrls is one of policy compass already; name it differently',
    );
  });

  test('is refused where threads and caches would need it', async () => {
    const study = studyOf('graph: star\naxes: {policy: [mine]}\n', 's.yaml', shippedPolicies.with([policyOf({})]));
    for (const workers of [1, 2]) {
      expect(await inputErrorOf(runStudy(graph, study, { cache: join(folder, 'none'), workers }))).toBe(
        'policy mine: is an object; a study needs its file (loadPolicy), for its threads and its cache',
      );
    }
  });
});

/** The text of a policy's file. */
function textOf(key: string, name = 'mine'): string {
  return `export default { name: '${name}', title: 't', make: () => ({ key: ${key}, score: () => 1 }) };`;
}

describe('a policy from a file', () => {
  test('is recorded by name, file and checksum; another file of that name is refused', async () => {
    const mine = await loadPolicy(fewLinks);
    const { run } = await simulate(docs, { ...short, policy: mine.name }, { policies: [mine] });
    expect(run.experiment.userPolicies).toEqual([
      expect.objectContaining({ name: 'few-links-first', file: fewLinks, sha256: mine.origin?.sha256 }),
    ]);
    const copy = join(folder, 'copy.js');
    copyFileSync(fewLinks, copy);
    const again = await simulate(docs, run.experiment, { policies: [await loadPolicy(copy)] });
    expect(again.run.replayHash).toBe(run.replayHash);
    const other = file('other.js', textOf('() => 1', 'few-links-first'));
    expect(await inputErrorOf(simulate(docs, run.experiment, { policies: [await loadPolicy(other)] }))).toMatch(
      /^policy few-links-first: .*other\.js is not the policy that the settings name: its SHA-256 is \w{64}, not \w{64}$/,
    );
    expect(await inputErrorOf(loadPolicy(other, mine.origin?.sha256))).toMatch(
      /other\.js: is not the policy that the settings name/,
    );
    expect(await inputErrorOf(simulate(docs, run.experiment))).toMatch(
      /^policy few-links-first: is in .*few-links-first\.js \(SHA-256 [0-9a-f]{64}\), which must be named again/,
    );
  });

  test('may be called by its file, and is another one when the file has changed', async () => {
    const path = file('changing.js', textOf('(local) => local'));
    const first = await simulate(docs, { ...short, policy: path }, { policies: [await loadPolicy(path)] });
    expect(first.run.experiment.policy).toBe('mine');
    file('changing.js', textOf('(local) => 100000 - local'));
    const second = await simulate(docs, { ...short, policy: path }, { policies: [await loadPolicy(path)] });
    expect(second.run.replayHash).not.toBe(first.run.replayHash);
  });

  test.each([
    [
      'no default export', 'export const policy = 1;',
      /bad\.js: has no default export; a policy file ends with export default/,
    ],
    ['a default that is no policy', 'export default 5;', /bad\.js: policy undefined: a name consists of lower-case letters/],
    ['a fault in its text', 'export default {', /bad\.js: cannot be run as a policy: /],
    ['an exception', 'throw new Error("not today");', /bad\.js: cannot be run as a policy: not today$/],
    [
      'a second file', 'import { key } from "./key.js"; export default {};',
      /bad\.js: imports \.\/key\.js, but a policy must be one file/,
    ],
  ])('with %s is refused', async (_, text, message) => {
    const error = await inputErrorOf(loadPolicy(file('bad.js', text)));
    expect(error).toMatch(message);
    expect(error).not.toContain('\n');
  });

  test('that is missing is refused', async () => {
    expect(await inputErrorOf(loadPolicy('./none.js'))).toMatch(
      /^\.\/none\.js: no such file; --policy takes /,
    );
  });

  test('that throws is one sentence with its line', async () => {
    const path = file('thrower.js', [
      'export default { name: "thrower", title: "t", make: () => ({',
      '  key: (local) => local,',
      '  score: (local) => local.at(0),',
      '}) };',
    ].join('\n'));
    const run = simulate(docs, { ...short, policy: 'thrower' }, { policies: [await loadPolicy(path)] });
    expect(await inputErrorOf(run)).toMatch(
      /^policy thrower, page \d+: score failed: local\.at is not a function \(.*thrower\.js:3:\d+\)$/,
    );
  });

  test('goes through a study on threads, whose finished runs go by its checksum', async () => {
    const path = file('studied.js', textOf('(local) => local'));
    const cache = join(folder, 'cache');
    const study = async (workers: number) => runStudy(
      await openGraph('star'),
      studyOf(
        `graph: star\naxes: {policy: [opic, ${path}], seed: [1, 2]}\n`, 's.yaml',
        shippedPolicies.with([await loadPolicy(path)]),
      ),
      { cache, workers },
    );
    const first = await study(2);
    expect(first.outcomes).toHaveLength(4);
    expect(first.study.axes[0].values).toEqual(['opic', 'mine']);
    expect((await study(1)).cached).toBe(4);
    file('studied.js', textOf('(local) => 1000 - local'));
    const changed = await study(1);
    expect(changed.cached).toBe(2);
    expect(changed.outcomes[0]).toEqual(first.outcomes[0]);
    expect(changed.outcomes[2].replayHash).not.toBe(first.outcomes[2].replayHash);
  });
});

test('settings that are not of the form are refused as such', () => {
  const parse = (input: unknown) => () => parseExperiment(input as Parameters<typeof parseExperiment>[0]);
  expect(parse({ userPolicies: 5 })).toThrow(/experiment\.userPolicies/);
  expect(parse({ policy: 'opicc' })).toThrow(/experiment\.policy/);
});
