import { shippedPolicies } from '../../../core/policy/index.ts';
import {
  policyOptionsUsed, recordedPolicies, type PolicyOption, type SettledCrawl, type SettledExperiment,
} from '../../../core/settings/index.ts';
import { settleSeeds, type CrawledGraph, type SettledSeeds } from '../../../core/engine/index.ts';
import type { GraphPages, PreparedGraph } from '../../../graphs/graph/index.ts';
import { findingsInWords } from '../../../core/measure/index.ts';
import { counted, decimal, grouped, paragraph } from '../figures.ts';
import { kebabCase } from '../../flags/flags.ts';
import { printable } from '../printable.ts';
import type { FinishedRun } from '../../answers/runner.ts';
import { seedsSentence, syntheticHostsWarning } from '../../flags/seed-pages.ts';
import { figures } from './run-figures.ts';

/** A run, as text for people. @param seedPages as named, undefined for those that the graph has by itself. */
export function simulateText(
  graph: CrawledGraph, { run }: FinishedRun, seedPages: number[] | undefined, out: string | undefined,
): string {
  const { experiment, summary } = run;
  return [
    ...linesOf(graph.pages, graph.seeds({ seedPages })),
    paragraph(`${settingsSentence(experiment)}.`),
    '',
    paragraph(printable(findingsInWords(summary, experiment))),
    '',
    figures(run),
    ...(out === undefined ? [] : ['', `Record and report: ${printable(out)}`]),
  ].join('\n');
}

/** The first lines about a graph: whether its hosts are synthetic, its size, what its seed pages reach. */
export function graphLines(prepared: PreparedGraph, namedSeeds: readonly number[] | undefined): string[] {
  return linesOf(prepared.graph, settleSeeds(prepared, { seedPages: namedSeeds && [...namedSeeds] }));
}

function linesOf(graph: GraphPages, seeds: SettledSeeds): string[] {
  return [`${syntheticHostsWarning(graph)}${graphSentence(graph)}`, seedsLine(graph, seeds)];
}

export function seedsLine(graph: GraphPages, seeds: SettledSeeds): string {
  return `${seedsSentence(graph, seeds)}.`;
}

export function graphSentence({ name, pages, arcs, hosts }: GraphPages): string {
  return `${printable(name)}: ${counted(pages, 'page')}, ${counted(arcs, 'link')}, ${counted(hosts.count, 'host')}.`;
}

/** The settings that people compare runs by; all of them are in run.json. */
export function settingsSentence(
  experiment: SettledCrawl & Partial<Pick<SettledExperiment, 'network' | 'exchange' | 'exchangeBatch'>>,
): string {
  const {
    scores, processors, robots, superstepLimit, superstepMs, partition, queue, politenessMs, network, seed, exchange,
  } = experiment;
  const memoryBytes = 'memoryBytes' in queue ? Number(queue.memoryBytes) : 0;
  const slices = queue.slices === 1 ? '' : ` in ${queue.slices} ${queue.slicing} slices`;
  const memory = memoryBytes === 0 ? '' : ` in files, with ${grouped(memoryBytes)} bytes of memory`;
  const messages =
    exchange === undefined || exchange === 'bulk'
      ? ''
      : `, exchange ${exchange === 'page' ? 'by page' : `in batches of ${grouped(experiment.exchangeBatch ?? 0)}`}`;
  const limits = [
    ...(superstepLimit === undefined ? [] : [`${counted(superstepLimit, 'page')} per processor`]),
    ...(superstepMs === 0 ? [] : [`${decimal(superstepMs / 1000, superstepMs % 1000 === 0 ? 0 : 3)} s`]),
  ];
  return (
    `Policy ${policyText(experiment)}${scores === undefined ? '' : ` of ${printable(scores.file)}`}, ${counted(processors, 'processor')} with ${counted(robots, 'robot')} each, ` +
    `supersteps ${limits.length === 0 ? 'without a limit' : `of at most ${limits.join(' or ')}`}, delay ${grouped(politenessMs)} ms, ` +
    `partition ${partition}${partition === 'lpt' ? ' (an oracle: it knows what the crawl will reach)' : ''}, queue ${queue.kind}${slices}${memory}${messages}, ` +
    `${network?.preset === undefined ? '' : `network ${network.preset}, `}seed ${seed}`
  );
}

/** The policy with its settings, except choices left at their default, and with the files of user policies. */
function policyText(experiment: Parameters<typeof settingsSentence>[0]): string {
  const { policy, policyOptions, userPolicies = [] } = experiment;
  const policies = [...shippedPolicies.settings.policies, ...recordedPolicies(experiment)];
  const options = policyOptionsUsed(policies, experiment).flatMap((option) => {
    const value = policyOptions[option];
    if (value === undefined) return [];
    if (typeof value === 'object') return Object.entries(value).map(([name, weight]) => `${name} ${weight}`);
    const isUsual = policies.some(({ options }) => isUsualChoice(options[option], value));
    return isUsual ? [] : [`${kebabCase(option)} ${value}`];
  });
  const files = userPolicies.flatMap(({ name, file }) => (file === undefined ? [] : `${name} of ${printable(file)}`));
  const all = [...options, ...files];
  return all.length === 0 ? policy : `${policy} (${all.join(', ')})`;
}

/** @param option undefined for a policy without this setting. */
function isUsualChoice(option: PolicyOption | undefined, value: string | number): boolean {
  return option !== undefined && 'enum' in option && option.default === value;
}
