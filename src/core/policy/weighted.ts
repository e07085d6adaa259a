import { keyLimit } from '../queue/entry.ts';
import { exp, InputError, log } from '../../base/index.ts';
import { definePolicy } from './define-policy.ts';

/** Bounds of the logarithm of a score; a score of 0 has the lower one. */
const maxLogarithm = 80;

/**
 * Several policies in one: the score of a page is the product of its scores in each, raised to the policies' weights,
 * which are divided by their sum. A product gives the same order in any unit of the scores. A score of 0 counts as
 * very little, so that the others still order the pages that have it. Only one of the policies may have amounts,
 * because a link passes on one. Costs the time and memory of all policies, and a logarithm per score; if OPIC's root
 * gives to all pages, all are touched at each barrier, since its effect beside another score differs by page.
 */
export const weighted = definePolicy({
  name: 'weighted',
  title: 'highest product of scores, each raised to its weight',
  options: {
    weights: {
      type: 'weights', description: 'policies whose scores are multiplied, each with the exponent of its score',
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
        `weights of ${withAmounts.join(' and ')} (--weights): only one policy with amounts that links pass on can be used; choose one`,
        { field: 'policyOptions.weights' },
      );
    }
    const total = names.reduce((sum, name) => sum + (weights[name] ?? 0), 0);
    const exponents = names.map((name) => (weights[name] ?? 0) / total);

    const logarithm = (local: number): number => {
      let sum = 0;
      for (let i = 0; i < parts.length; i++) {
        const score = parts[i].score(local);
        const bounded = score === 0 ? -maxLogarithm : Math.max(-maxLogarithm, Math.min(maxLogarithm, log(score)));
        sum += exponents[i] * bounded;
      }
      return sum;
    };
    const amounts = parts.find((part) => part.amounts !== undefined)?.amounts;
    return {
      know: (local, page, host) => { for (const part of parts) part.know?.(local, page, host); },
      key: (local) => Math.floor((keyLimit - 1) * (0.5 + logarithm(local) / (2 * maxLogarithm + 1))),
      score: (local) => exp(logarithm(local)),
      amounts,
      fetched: (local, targets, links) => { for (const part of parts) part.fetched?.(local, targets, links); },
      failed: (local) => { for (const part of parts) part.failed?.(local); },
      settle: (touch) => {
        for (const part of parts) part.settle?.(touch);
        // An equal gift to all has a different effect beside another score.
        if (amounts?.cash?.isGivenToAll === true) for (let local = 0; local < state.known; local++) touch(local);
      },
    };
  },
});
