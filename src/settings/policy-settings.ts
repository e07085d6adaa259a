import { z } from 'zod';
import { count } from './ranges.ts';

export const policyNames = [
  'backlink-count', 'batch-pagerank', 'breadth-first', 'compass', 'depth-first', 'larger-sites-first', 'opic',
  'opic-cycle', 'opic-window', 'pagerank', 'partial-pagerank', 'random', 'round-robin', 'scores', 'spawc', 'weighted',
] as const;
export type PolicyName = (typeof policyNames)[number];
export const opicRoots = ['keep', 'known'] as const;

/** Settings of single policies; another policy does not read them. */
export const policySchema = z.strictObject({
  opicRoot: z
    .enum(opicRoots)
    .default('keep')
    .describe(
      "of opic, opic-cycle, opic-window: a root's coins stay with it, or go to the pages known to its processor at each barrier",
    ),
  opicWindow: z
    .number()
    .positive()
    .max(1e6)
    .default(1)
    .describe('of opic-window: the window, in times that the processors together move all cash'),
  rankEveryPages: count(2 ** 32)
    .default(1000)
    .describe('of batch-pagerank, partial-pagerank: pages that the run fetches between rankings'),
  hostUrls: count(2 ** 31)
    .default(300)
    .describe('of compass: most pages taken from a host at once'),
  resetHosts: count(2 ** 31)
    .default(5000)
    .describe('of compass: hosts gone through before it begins again, then twice as many, thrice, and so on'),
  weights: z
    .partialRecord(z.enum(policyNames).exclude(['weighted']), z.number().positive().max(1e6))
    .optional()
    .describe(
      'of weighted: the policies whose scores are multiplied, each with the power to which its score is raised',
    ),
});
type PolicyOption = keyof typeof policySchema.shape;

/** The policies that read each setting. */
export const policiesOfOption: Readonly<Record<PolicyOption, readonly PolicyName[]>> = {
  opicRoot: ['opic', 'opic-cycle', 'opic-window'],
  opicWindow: ['opic-window'],
  rankEveryPages: ['batch-pagerank', 'partial-pagerank'],
  hostUrls: ['compass'],
  resetHosts: ['compass'],
  weights: ['weighted'],
};

/** Of any settings: those of its order. */
export interface PolicyChoice {
  readonly policy?: PolicyName | undefined;
  readonly policyOptions?: z.input<typeof policySchema> | undefined;
}

/** The policy, and those that it is composed of. */
export function policiesUsed({
  policy = 'opic', policyOptions,
}: PolicyChoice): readonly string[] {
  return policy === 'weighted' ? [policy, ...Object.keys(policyOptions?.weights ?? {})] : [policy];
}

/** Settings of single policies that the experiment's policy reads. */
export function policyOptionsUsed(experiment: PolicyChoice): PolicyOption[] {
  const used = policiesUsed(experiment);
  return (Object.keys(policiesOfOption) as PolicyOption[]).filter((option) =>
    policiesOfOption[option].some((name) => used.includes(name)),
  );
}
