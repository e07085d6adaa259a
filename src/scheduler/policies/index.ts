import { breadthFirst } from './breadth-first.ts';
import { givenScores } from './given-scores.ts';
import { opic } from './opic.ts';
import type { Policy, PolicyContext } from './policy.ts';
import { random } from './random.ts';

export type { Amounts, Cash, Policy, PolicyContext } from './policy.ts';

/** Every policy by the name that `--policy` knows. A new one is a file here and a line in this table. */
export const policies = {
  'breadth-first': breadthFirst,
  opic,
  pagerank: givenScores,
  random,
  scores: givenScores,
} satisfies Record<string, (context: PolicyContext) => Policy>;

export type PolicyName = keyof typeof policies;
