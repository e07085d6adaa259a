import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shippedPolicies } from '../../src/core/policy/index.ts';
import { isWeights, type PolicyFacts, type PolicyOption } from '../../src/core/settings/index.ts';

// Goal: the table of policies in src/core/policy/README.md is what the policies say of themselves.

const path = new URL('../../src/core/policy/README.md', import.meta.url);

function rowOf({ name, title, source, options, needs, isOracle }: PolicyFacts): string {
  const named = Object.entries(options).map(([option, one]) => `\`${option}\`${usual(one)}`);
  const listed = [...needs, ...(isOracle ? ['an oracle'] : [])];
  const cells = [`\`${name}\``, title, source ?? '-', named.join(', ') || '-', listed.join(', ') || '-'];
  return `| ${cells.join(' | ')} |`;
}

function usual(option: PolicyOption): string {
  return isWeights(option) ? '' : ` (${option.default})`;
}

test('the table of policies', () => {
  const rows = ['| policy | next page | source | settings (default) | needs |', '|---|---|---|---|---|'];
  const table = [...rows, ...shippedPolicies.settings.policies.map(rowOf)].join('\n');
  const text = readFileSync(path, 'utf8');
  const found = text.split('\n').filter((line) => line.startsWith('|')).join('\n');
  expect(found).toBe(table);
});
