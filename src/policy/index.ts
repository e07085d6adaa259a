import { backlinkCount } from './backlink-count.ts';
import { batchPagerank } from './batch-pagerank.ts';
import { breadthFirst } from './breadth-first.ts';
import { compass } from './compass.ts';
import { depthFirst } from './depth-first.ts';
import { givenScores } from './given-scores.ts';
import { largerSitesFirst } from './larger-sites-first.ts';
import { opicCycle } from './opic-cycle.ts';
import { opicWindow } from './opic-window.ts';
import { opic } from './opic.ts';
import { partialPagerank } from './partial-pagerank.ts';
import type { Policy, PolicyContext } from './policy.ts';
import { random } from './random.ts';
import { roundRobin } from './round-robin.ts';
import { spawc } from './spawc.ts';
import { weighted } from './weighted.ts';

export type { Amounts, Cash, Policy, PolicyContext, PolicyOptions } from './policy.ts';

type Maker = (context: PolicyContext) => Policy;

/** Every policy by itself, by the name that `--policy` knows. A new one is a file here and a line in this table. */
const single = {
  'backlink-count': backlinkCount,
  'batch-pagerank': batchPagerank,
  'breadth-first': breadthFirst,
  compass,
  'depth-first': depthFirst,
  'larger-sites-first': largerSitesFirst,
  opic,
  'opic-cycle': opicCycle,
  'opic-window': opicWindow,
  pagerank: (context) => givenScores(context, context.ranks),
  'partial-pagerank': partialPagerank,
  random,
  'round-robin': roundRobin,
  scores: (context) => givenScores(context, context.scores),
  spawc,
} satisfies Record<string, Maker>;

/** The same, and their composition. */
export const policies = { ...single, weighted: (context) => weighted(context, single) } satisfies Record<string, Maker>;

export type PolicyName = keyof typeof policies;
