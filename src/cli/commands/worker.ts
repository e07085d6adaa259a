import type { Command } from 'commander';
import { availableParallelism } from 'node:os';
import { later } from '../flags/words.ts';

export function addWorker(cluster: Command): void {
  cluster
    .command('worker')
    .description('Run what studies and plans on other machines queue on a Redis server, until interrupted.')
    .argument('<redis>', 'the Redis server: redis://[user:password@]host[:port][/database], or rediss:// for TLS')
    .option('--threads <T>', `runs at once (default: ${availableParallelism()})`)
    .option('--graphs <FOLDER|URL>', 'where graphs come from, by their checksums: a folder that the machines share, or a web address (default: ORBWEAVER_GRAPHS, or else orbweaver/graphs in the cache folder)')
    .option('--lost-after-seconds <S>', 'give the runs of a worker to others after this time without a sign of it (default: 30)')
    .addHelpText('after', `
Give study or plan the same server with --workers. A worker runs only what the same version of Orbweaver queued.
SIGINT and SIGTERM end it at once; others start its runs again. A worker that is killed loses nothing, either.
Whoever may write to the server may have its workers load files: protect it by a password. One in the environment
variable REDISCLI_AUTH, which redis-cli reads too, is in no list of processes; that of the URL is.

Examples:
  orbweaver cluster worker redis://localhost
  orbweaver study policies --workers redis://localhost
  REDISCLI_AUTH=$(cat secret) orbweaver cluster worker rediss://redis.example.org:6380/1 --threads 4 --graphs /shared/graphs`)
    .action(later(async () => (await import('../actions/worker.ts')).runWorkerCommand));
}
