import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('policy')
    .command('new')
    .description('Write an example policy, which runs at once: a JavaScript file to change.')
    .argument('<file>', 'the file to write: NAME.mjs, or NAME.js; NAME becomes the name of the policy')
    .addHelpText('after', `
Examples:
  orbweaver policy new mine.mjs
  orbweaver simulate docs-web --policy ./mine.mjs`)
    .action(later(async () => (await import('../actions/policy.ts')).runPolicyNew));
}
