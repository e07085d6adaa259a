import { writeFileSync } from 'node:fs';
import { openGraph, simulate } from 'orbweaver';
import {
  definePolicy, loadPolicy, type Amounts, type PageOrder, type PolicyContext, type PolicyDefinition, type PolicyOption,
} from 'orbweaver/policy';

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

const patience = { type: 'integer', minimum: 1, default: 100, description: 'links that count' } as const;
const option: PolicyOption = patience;

function orderOf({ state, options }: PolicyContext<{ readonly patience: number }>): PageOrder {
  const page = state.pages({ links: Uint32Array });
  const waiting = (local: number): number => Math.max(0, options.patience - (page.links[local] ?? 0));
  const amounts: Amounts = {
    credit: (local, amount) => { page.links[local] = (page.links[local] ?? 0) + amount; },
    spread: () => 1,
  };
  return { key: waiting, score: waiting, amounts };
}

const fewLinksFirst: PolicyDefinition = definePolicy({
  name: 'few-links-first', title: 'the page that the fewest pages link to', needs: ['amounts'], options: { patience },
  make: orderOf,
});
const { run } = await simulate(
  await openGraph('star'), { policy: 'few-links-first', policyOptions: { patience: 3 }, processors: 2 },
  { policies: [fewLinksFirst] },
);
check(run.summary.pagesFetched > 0, 'a policy orders a crawl');
check(option.default === 100, 'options have defaults');

writeFileSync('my-policy.js', `import { definePolicy } from 'orbweaver/policy';
export default definePolicy({ name: 'mine', title: 'any page', make: () => ({ key: () => 0, score: () => 0 }) });
`);
const mine = await loadPolicy('./my-policy.js');
check(mine.name === 'mine' && mine.origin?.sha256.length === 64, 'a policy is loaded from its file');
