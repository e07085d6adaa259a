import type { Experiment, ExperimentInput, LiveCrawlInput, LiveCrawlSettings } from '../settings/index.ts';
import { backlinkCount } from './backlink-count.ts';
import { batchPagerank } from './batch-pagerank.ts';
import { breadthFirst } from './breadth-first.ts';
import { compass } from './compass.ts';
import { depthFirst } from './depth-first.ts';
import { largerSitesFirst } from './larger-sites-first.ts';
import { opicCycle } from './opic-cycle.ts';
import { opicWindow } from './opic-window.ts';
import { opic } from './opic.ts';
import { pagerank } from './pagerank.ts';
import { partialPagerank } from './partial-pagerank.ts';
import { random } from './random.ts';
import { PolicyRegistry } from './registry.ts';
import { roundRobin } from './round-robin.ts';
import { scores } from './scores.ts';
import { spawc } from './spawc.ts';
import { weighted } from './weighted.ts';

/** Every policy that comes with Orbweaver. A new one is a file here and a line in this list. */
const definitions = [
  backlinkCount, batchPagerank, breadthFirst, compass, depthFirst, largerSitesFirst, opic, opicCycle, opicWindow,
  pagerank, partialPagerank, random, roundRobin, scores, spawc, weighted,
] as const;

export type PolicyName = (typeof definitions)[number]['name'];

/** Names of the policies that come with Orbweaver, in alphabetical order. */
export const policyNames: readonly PolicyName[] = definitions.map(({ name }) => name);

export const shippedPolicies = new PolicyRegistry(definitions);

/** Checks an experiment and fills in its defaults. @throws InputError that names each field and its allowed values. */
export function parseExperiment(input: ExperimentInput, { settings } = shippedPolicies): Experiment {
  return settings.parseExperiment(input);
}

/** As `parseExperiment`, for the settings that live crawls share with simulations. */
export function parseLiveCrawl(input: LiveCrawlInput, { settings } = shippedPolicies): LiveCrawlSettings {
  return settings.parseLiveCrawl(input);
}
