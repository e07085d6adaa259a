import type { Command } from 'commander';
import { addMerge } from './merge.ts';
import { addWorker } from './worker.ts';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  const cluster = program.command('cluster');
  cluster
    .command('status')
    .description('Show the nodes: processes, leases, epochs, supersteps, pages, and who waits for whom.')
    .argument('<redis>', 'the Redis server: redis://[user:password@]host[:port][/database]; REDISCLI_AUTH in the environment can have the password')
    .option('--json', 'print one JSON document')
    .addHelpText('after', `
A node of which nothing was heard for 30 s is away. All others wait for it until it is started again.

Examples:
  orbweaver cluster status redis://localhost
  watch orbweaver cluster status redis://localhost`)
    .action(later(async () => (await import('../actions/cluster.ts')).runClusterStatus));
  addMerge(cluster);
  addWorker(cluster);
}
