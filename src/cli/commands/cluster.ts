import type { Command } from 'commander';
import { later } from '../flags/words.ts';
import { availableParallelism } from 'node:os';

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

export function addMerge(cluster: Command): void {
  cluster
    .command('merge')
    .description('Make one graph, record and report of the folders of a crawl on several nodes. A page that several nodes know is one. Stores and archives stay where they are.')
    .argument('<out>', 'folder for graph, record, log and report of the whole crawl; must be new, empty or that of an earlier merge')
    .argument('<folder...>', 'the folders of all nodes of a crawl that has ended, in any order')
    .option('--json', 'print one JSON document: the content of run.json')
    .addHelpText('after', `
What it writes is read like the folder of a crawl on one machine: by compare, and by simulate, which repeats the crawl.
Pages are numbered by their URLs, so that two crawls that found the same pages have the same graph.

Examples:
  orbweaver cluster merge crawls/whole crawls/node-0 crawls/node-1 crawls/node-2
  orbweaver cluster merge crawls/whole crawls/node-* && orbweaver simulate crawls/whole --robots 16`)
    .action(later(async () => (await import('../actions/cluster.ts')).runMerge));
}

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
    .action(later(async () => (await import('../actions/cluster.ts')).runWorkerCommand));
}
