import { Command } from 'commander';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { unwrapped } from '../../src/base/schema/index.ts';
import { addExperimentFlags, addLiveCrawlFlags } from '../../src/cli/flags/flags.ts';
import { addLiveFlags } from '../../src/cli/flags/live/live-flags.ts';
import { liveSchema } from '../../src/core/live/settings.ts';
import { parseExperiment, shippedPolicies } from '../../src/core/policy/index.ts';
import {
  currentName, earlierName, flagName, hiddenFlagNames, kebabCase, withCurrentNames, withEarlierDefaults,
  type ExperimentInput,
} from '../../src/core/settings/index.ts';

// Goal: every setting has one name, camel case in files and kebab case as a flag, and its earlier names are read.

function pathsOf(schema: z.ZodObject, prefix = ''): string[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const inner = unwrapped(field);
    return inner instanceof z.ZodObject ? pathsOf(inner, `${prefix}${name}.`) : [prefix + name];
  });
}

const flagsOf = (command: Command): string[] =>
  command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!.replace(/^--(no-)?/, ''));

/** What no flag sets: in records only, or set together with other things. */
const withoutFlag = ['userPolicies', 'scores.file', 'scores.sha256', 'network.fit.file', 'network.fit.sha256'];
/** Lists, which a repeatable flag adds to. */
const singular = new Map([
  ['seedPages', 'seed-page'], ['allowNetworks', 'allow-network'], ['allowDomains', 'allow-domain'],
  ['denyDomains', 'deny-domain'], ['allowPatterns', 'allow-pattern'], ['denyPatterns', 'deny-pattern'],
  ['dropQuery', 'drop-query'], ['countries', 'country'], ['denyExtensions', 'deny-extension'], ['types', 'type'],
]);

const { settings } = shippedPolicies;
const known = (paths: readonly string[]): string[] =>
  paths.filter((path) => !withoutFlag.includes(path)).map((path) => singular.get(path) ?? flagName(path)).sort();

test('every setting of a simulation has the flag of its name, and no flag has another name', () => {
  const flags = flagsOf(addExperimentFlags(new Command()));
  expect(flags.filter((flag) => flag !== 'policy-option').sort()).toEqual(known(pathsOf(settings.experiment)));
});

test('the same for live crawls', () => {
  const flags = flagsOf(addLiveFlags(addLiveCrawlFlags(new Command())));
  expect(flags.filter((flag) => flag !== 'policy-option').sort())
    .toEqual(known([...pathsOf(settings.liveCrawl), ...pathsOf(liveSchema)]));
});

test('a flag is the name in kebab case, of the setting or of its group and it', () => {
  for (const path of [...pathsOf(settings.experiment), ...pathsOf(liveSchema)]) {
    if (withoutFlag.includes(path)) continue;
    const [group, name = group] = path.split('.');
    const words = [name, group + name[0].toUpperCase() + name.slice(1), group].map(kebabCase);
    // A duration that people write with its unit.
    if (name === 'hostPatienceMs') words.push('host-patience');
    expect(words).toContain(flagName(path));
  }
});

test('no name is used for two settings, hidden ones included', () => {
  for (const paths of [pathsOf(settings.experiment), [...pathsOf(settings.liveCrawl), ...pathsOf(liveSchema)]]) {
    const names = paths.filter((path) => !withoutFlag.includes(path))
      .flatMap((path) => [flagName(path), ...hiddenFlagNames(path)]);
    expect(new Set(names).size).toBe(names.length);
  }
});

test('what an earlier version did not have is as it was without, in its records alone', () => {
  const earlier = { deniedCost: 'delay', hostPatienceMs: 0, pendingKeys: 'frozen' };
  expect(withEarlierDefaults({ linksMost: 5 })).toEqual({ ...earlier, maxLinks: 5 });
  expect(withEarlierDefaults({ deniedCost: 'none' })).toEqual({ ...earlier, deniedCost: 'none' });
  for (const other of [[1], null, 'text']) expect(withEarlierDefaults(other)).toEqual(other);
  expect(parseExperiment({})).toMatchObject({ deniedCost: 'none', pendingKeys: 'follow', hostPatienceMs: 900_000 });
});

test('settings under earlier names are the settings of now', () => {
  expect(parseExperiment({ backoffMostMs: 5000 } as ExperimentInput)).toHaveProperty('maxBackoffMs', 5000);
  expect(earlierName('maxDepth')).toBe('depthMost');
  expect(currentName('depthMost')).toBe('maxDepth');
  expect(currentName('toString')).toBe('toString');
  expect(withCurrentNames({ linksMost: 5, agent: 'x' })).toEqual({ maxLinks: 5, agent: 'x' });
  expect(withCurrentNames([1])).toEqual([1]);
  expect(withCurrentNames(null)).toBe(null);
});
