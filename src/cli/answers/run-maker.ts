import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, normalize } from 'node:path';
import type * as z from 'zod';
import { catalogue, datasetsFolder, fetchedNames } from '../../graphs/catalogue/index.ts';
import { liveSchema, partialLiveSchema } from '../../core/live/settings.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { InputError, packageVersion } from '../../base/index.ts';
import { yamlText } from '../../base/yaml/index.ts';
import type { CheckedRun, PlacedRun, RunCommand, RunMaker, SettingsForms } from '../../views/service/index.ts';
import { configSchemaText, configText, liveConfigSchemaText, liveConfigText } from '../flags/config.ts';
import { flagsOf } from '../flags/flags.ts';
import { flagsOfLive } from '../flags/live/live-flags.ts';
import { shellWord } from '../flags/out-folder.ts';
import { jobForms, madeJob } from '../jobs/job-maker.ts';
import { named, plain, valid, type MadeCommand } from './made-command.ts';

const { settings } = shippedPolicies;

/**
 * Makes commands of the forms of a page: the command that the page shows is the one that runs.
 * @param runsFolder where records go.
 */
export function runMaker(runsFolder: string): RunMaker {
  return { forms, check: (run) => check(run, runsFolder) };
}

async function forms(): Promise<SettingsForms> {
  const fetched = (await fetchedNames(datasetsFolder())).map((name) => ({ name, pages: null }));
  const simulation = JSON.parse(configSchemaText(settings)) as Record<string, unknown>;
  return {
    simulation, ...await jobForms(simulation),
    live: JSON.parse(liveConfigSchemaText(settings)) as Record<string, unknown>,
    graphs: [...catalogue.map(({ name, pages }) => ({ name, pages })), ...fetched],
    policies: settings.policies.map(({ name, title, isOracle }) => ({
      name, description: title,
      worlds: isOracle ? 'simulations: it knows what no crawler can' : 'simulations and crawls',
    })),
    version: packageVersion(),
  };
}

async function check(run: PlacedRun, runsFolder: string): Promise<CheckedRun & RunCommand> {
  const { argv, config, name, base } = await made(run);
  const kind = run.kind === 'fork' ? 'simulation' : run.kind;
  const folder = run.out === undefined ? free(join(runsFolder, base)) : below(runsFolder, run.out);
  const file = run.kind === 'study' ? { path: `${folder}.yaml`, text: run.yaml } : undefined;
  const [command, ...others] = argv;
  const words = [command, ...(file === undefined ? [] : [file.path]), ...others, '--out', folder, '--watch'];
  return { argv: words, command: ['orbweaver', ...words.map(shellWord)].join(' '), config, folder, kind, name, file };
}

function made(run: PlacedRun): Promise<MadeCommand> | MadeCommand {
  switch (run.kind) {
    case 'simulation': return simulation(run);
    case 'live': return crawl(run);
    case 'fork': return fork(run);
    case 'plan': case 'tune': case 'study': return madeJob(run);
  }
}

function fork({ folder, at, trust, settings: changed }: PlacedRun & { kind: 'fork' }): MadeCommand {
  const input = valid(settings.experiment, changed);
  const name = basename(folder);
  return {
    argv: ['simulate', '--from', folder, '--at', String(at), ...(trust === true ? ['--trust'] : []), ...flagsOf(input)],
    config: `# Settings that differ from those of the run.\n${yamlText(input)}`,
    name: `${name}, from superstep ${at}`, base: named(`${name}-from-${at}`),
  };
}

async function simulation(run: PlacedRun & { kind: 'simulation' }): Promise<MadeCommand> {
  const input = valid(settings.experiment, run.settings);
  const { seedPages = [] } = input as { seedPages?: readonly number[] };
  const seeds = seedPages.flatMap((id) => ['--seed-page', String(id)]);
  const fit = networkFlag(run.networkFolder, input);
  const argv = ['simulate', plain('graph', run.graph), ...flagsOf(input), ...seeds, ...fit];
  const { policy = settings.parseExperiment({}).policy } = input;
  const base = named(`${basename(run.graph)}-${policy}`);
  const besides = fit.length === 0 ? '' : `# With ${fit.map(shellWord).join(' ')}: the network is fitted to this crawl.\n`;
  return { argv, config: besides + await configText(input, settings), name: run.graph, base };
}

/** The crawl that the network is fitted to. Single values go with it; a preset does not. */
function networkFlag(folder: string | undefined, { network }: z.input<typeof settings.experiment>): string[] {
  if (folder === undefined) return [];
  if (network?.preset !== undefined)
    throw new InputError('network.preset: choose a preset, or a crawl to fit the network to', {
      field: 'network.preset',
    });
  return ['--network', folder];
}

async function crawl(run: PlacedRun & { kind: 'live' }): Promise<MadeCommand> {
  const { live = {}, ...shared } = run.settings;
  const input = valid(settings.liveCrawl, shared);
  const liveInput = valid(partialLiveSchema, live, 'live');
  if (liveInput.contact === undefined)
    throw new InputError('name a URL or a mail address where the owners of hosts can reach you', {
      field: 'live.contact',
    });
  if (liveInput.scope !== undefined && liveInput.scope.length > 0)
    throw new InputError('a scope is in a file: start the crawl with orbweaver crawl --scope FILE', {
      field: 'live.scope',
    });
  const checked = valid(liveSchema, liveInput, 'live');
  const { checkSettings } = await import('../../core/live/index.ts');
  checkSettings(liveSchema.parse(checked));
  const seeds = run.seeds.map((seed) => plain('seeds', seed));
  return {
    argv: ['crawl', ...seeds, ...flagsOf(input), ...flagsOfLive(liveInput)],
    config: await liveConfigText(input, checked, seeds, settings), name: seeds[0],
    base: named(hostOf(seeds[0])),
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? url;
}

/** The first of `path`, `path-2`, ... that is free. */
function free(path: string): string {
  const isFree = (name: string): boolean => ['', '.partial', '.yaml'].every((end) => !existsSync(`${name}${end}`));
  if (isFree(path)) return path;
  for (let i = 2; ; i++) if (isFree(`${path}-${i}`)) return `${path}-${i}`;
}

/** @throws InputError for a folder elsewhere. */
function below(folder: string, out: string): string {
  const path = normalize(out);
  if (isAbsolute(path) || path.startsWith('..') || path === '.')
    throw new InputError(`out: ${out} must be a folder in ${folder}`, { field: 'out' });
  return join(folder, path);
}
