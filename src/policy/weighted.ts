import { keyLimit } from '../queue/index.ts';
import { exp, InputError, log } from '../base/index.ts';
import { definePolicy } from './define-policy.ts';

/** Logarithms of what a score counts for at least and at most; 0 counts for the least. */
const most = 80;

/**
 * Several policies in one: the score of a page is the product of its scores in each, raised to the policies' weights,
 * which are divided by their sum. A product, and not a sum, because scores come in units of all kinds: whatever unit
 * each is told in, the order is the same. A score of 0 counts for very little, not for nothing, so that the others
 * still order the pages that have it. At most one of the policies may have amounts that links pass on, for a link
 * passes on one. As much time and memory as all of them, and a logarithm for each score asked for; where OPIC's root
 * gives to all pages, all are touched at each barrier, for what that is worth beside another score differs by page.
 */
export const weighted = definePolicy({
  name: 'weighted',
  title: 'best product of scores, each to the power of its weight',
  options: {
    weights: {
      type: 'weights',
      description: 'the policies whose scores are multiplied, each with the power to which its score is raised',
    },
  },
  make(context) {
    const { options: { weights = {} }, state } = context;
    const names = Object.keys(weights).sort();
    if (names.length === 0)
      throw new InputError('policy weighted needs weights of other policies (--weights opic=0.7,depth-first=0.3)', {
        field: 'policyOptions.weights',
      });
    const parts = names.map((name) => context.order(name));
    const withAmounts = names.filter((_, i) => parts[i].amounts !== undefined);
    if (withAmounts.length > 1) {
      throw new InputError(
        `weights of ${withAmounts.join(' and ')} (--weights): links pass on an amount for each of these, and can pass on one; take one of them`,
        { field: 'policyOptions.weights' },
      );
    }
    const total = names.reduce((sum, name) => sum + (weights[name] ?? 0), 0);
    const exponents = names.map((name) => (weights[name] ?? 0) / total);

    const logarithm = (local: number): number => {
      let sum = 0;
      for (let i = 0; i < parts.length; i++) {
        const score = parts[i].score(local);
        sum += exponents[i] * (score === 0 ? -most : Math.max(-most, Math.min(most, log(score))));
      }
      return sum;
    };
    const amounts = parts.find((part) => part.amounts !== undefined)?.amounts;
    return {
      know: (local, page, host) => { for (const part of parts) part.know?.(local, page, host); },
      key: (local) => Math.floor((keyLimit - 1) * (0.5 + logarithm(local) / (2 * most + 1))),
      score: (local) => exp(logarithm(local)),
      amounts,
      fetched: (local, own, links) => { for (const part of parts) part.fetched?.(local, own, links); },
      failed: (local) => { for (const part of parts) part.failed?.(local); },
      settle: (touch) => {
        for (const part of parts) part.settle?.(touch);
        // What is given alike to all is worth differently beside another score.
        if (amounts?.cash?.isGivenToAll === true) for (let local = 0; local < state.known; local++) touch(local);
      },
    };
  },
});
