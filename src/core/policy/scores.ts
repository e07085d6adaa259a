import { definePolicy } from './define-policy.ts';
import { givenOrder } from './given-order.ts';

/**
 * Best first by the scores in a file, to see what they are worth to a crawl: ranks of an earlier crawl, in-degrees,
 * or what a classifier thinks of a page (Yu, Liu & Xiong, "Craw4LLM: Efficient Web Crawling for LLM Pretraining",
 * 2025).
 */
export const scores = definePolicy({
  name: 'scores',
  title: 'best by the scores in a file',
  source: 'Yu, Liu & Xiong, Craw4LLM 2025',
  needs: ['scores'],
  make: (context) => givenOrder(context.state, context.scores),
});
