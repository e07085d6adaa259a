import { describe, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import {
  loadPolicy, policyNames, shippedPolicies, type PolicyInput, type PolicyName,
} from '../../src/core/policy/index.ts';
import { policyConformance } from '../conformance/policy.ts';
import { usualContext as context } from './policy-context.ts';

describe('every policy, and one of a user\'s from a file', async () => {
  const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20081030);
  for (const name of policyNames) policyConformance(shippedPolicies, name, seed);
  const file = fileURLToPath(new URL('user-policies/few-links-first.js', import.meta.url));
  const user = await loadPolicy(file);
  policyConformance(shippedPolicies.with([user]), user.name, seed);
});

const make = (name: PolicyName, input: PolicyInput) => shippedPolicies.make(name, input);

test('breadth-first falls by local index, given scores follow the page', () => {
  const breadthFirst = make('breadth-first', context);
  expect([0, 1, 2].map((local) => breadthFirst.key(local))).toEqual([0x7fefffff, 0x7feffffe, 0x7feffffd]);
  const given = make('pagerank', context);
  [50, 3, 99].forEach((page, local) => given.know(local, page, 0));
  expect(given.key(1)).toBeGreaterThan(given.key(0));
  expect(given.key(0)).toBeGreaterThan(given.key(2));
});

test('random depends on processor and local index alone', () => {
  const keys = (processor: number): number[] =>
    [0, 1, 2, 3].map((local) => make('random', { ...context, processor }).key(local));
  expect(keys(0)).toEqual(keys(0));
  expect(keys(0)).not.toEqual(keys(1));
});

describe('OPIC', () => {
  const opic = (processor: number, seedPages: number) => {
    const policy = make('opic', { ...context, processor, seedPages });
    for (let local = 0; local < 3; local++) policy.know(local, local, 0);
    const amounts = policy.amounts!;
    return {
      ...amounts, ...amounts.cash!, seed: (local: number) => amounts.seed?.(local),
      score: (local: number) => policy.score(local), failed: (local: number) => policy.failed?.(local),
    };
  };

  test('gives each seed page floor(2^52 / seeds), and the remainder to the root of processor 0', () => {
    const first = opic(0, 3);
    const second = opic(1, 3);
    first.seed(0);
    first.seed(1);
    second.seed(0);
    expect(first.score(0)).toBe(Math.floor(2 ** 52 / 3));
    expect(second.held()).toBe(Math.floor(2 ** 52 / 3));
    expect(first.held() + second.held()).toBe(2 ** 52);
    expect(first.held()).toBe(2 * Math.floor(2 ** 52 / 3) + 1);
  });

  test('spreads a page evenly; the remainder goes to the root and stays there', () => {
    const cash = opic(1, 1);
    cash.credit(0, 17);
    expect(cash.spread(0, 5)).toBe(3);
    expect(cash.score(0)).toBe(0);
    // The caller hands 5 x 3 to the links; what is held here is the root's.
    expect(cash.held()).toBe(2);
    cash.credit(0, 3);
    expect(cash.score(0)).toBe(3);
    expect(cash.held()).toBe(5);
  });

  test('pages without links, and those that failed, leave their coins to the root', () => {
    const cash = opic(1, 1);
    cash.credit(0, 17);
    cash.credit(1, 4);
    expect(cash.spread(0, 0)).toBe(0);
    cash.failed(1);
    expect([cash.score(0), cash.score(1), cash.held()]).toEqual([0, 0, 21]);
  });
});
