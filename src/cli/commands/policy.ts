import type { Command } from 'commander';
import type { runPolicyNew } from '../actions/policy.ts';

/** `orbweaver policy new FILE`: a policy to begin with. */
export function addPolicy(program: Command): void {
  program
    .command('policy')
    .command('new')
    .description('Write an example policy, which runs at once: a JavaScript file to change.')
    .argument('<file>', 'the file to write: NAME.mjs, or NAME.js; NAME becomes the name of the policy')
    .addHelpText(
      'after',
      `
Examples:
  orbweaver policy new mine.mjs
  orbweaver simulate docs-web --policy ./mine.mjs`,
    )
    .action(async (...given: Parameters<typeof runPolicyNew>) => {
      await (await import('../actions/policy.ts')).runPolicyNew(...given);
    });
}
