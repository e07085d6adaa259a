import type { Command } from 'commander';
import { availableParallelism } from 'node:os';
import { defaultMachines, defaultRobots } from '../../questions/plan/ladders.ts';
import { addConfigFlags, addExperimentFlags } from '../flags/flags.ts';
import { notInPlans } from '../jobs/job-flags.ts';
import { addOne, later } from '../flags/words.ts';

export function add(program: Command): void {
  const command = program
    .command('plan')
    .description('A set-up is a policy, machines, robots and limits. Without a goal: the set-up that gathers the most rank within a time. The answer says how certain it is.')
    .argument('<graph>', 'as for simulate, or a plan file (.yaml) with the names of these flags')
    .option(
      '--goal <GOAL>', "what to reach: '80% of rank', '1.5M pages', '95% of hosts'; repeatable: all must hold", addOne,
    )
    .option('--within <TIME>', 'time at most, such as 10h; without a goal: gather the most rank in it')
    .option('--machines <N>', `machines at most, one processor each (default: ${defaultMachines})`)
    .option('--robots <N>', `robots per machine at most (default: ${defaultRobots})`)
    .option('--bandwidth <RATE>', 'bandwidth per machine, such as 100Mbit (the default) or 12.5MB/s')
    .option('--delay <TIME>', 'delay between downloads from the same host (default: 1s)')
    .option('--cost <PRICES>', 'prices: machine=0.40/h,traffic=0.05/GB (default: machine-hours)')
    .option('--vary <NAMES>', 'vary only these: policy,processors,robots,superstep-limit,pending,partition,exchange');
  addConfigFlags(addExperimentFlags(command, notInPlans))
    .option('--threads <T>', `worker threads; the answer does not depend on them (default: ${availableParallelism()})`)
    .option('--workers <REDIS>', 'let the workers of this Redis server run it (orbweaver cluster worker): redis://[user:password@]host[:port][/database]; REDISCLI_AUTH in the environment can have the password')
    .option('--graphs <FOLDER>', 'where the graph is stored for the workers (default: ORBWEAVER_GRAPHS, or else orbweaver/graphs in the cache folder)')
    .option('--cache <DIR>', 'folder for finished runs (default: ORBWEAVER_STUDIES, or else orbweaver/studies in the cache folder)')
    .option('--out <DIR>', 'write plan.json and report.html there')
    .option('--watch', 'let the dashboard of this user show and stop the plan (orbweaver dashboard)')
    .option('--json', 'print one JSON document: the content of plan.json')
    .addHelpText('after', `
A plan file:
  graph: docs-web
  goal: 80% of rank               # or a list
  within: 30m
  machines: 4
  cost: machine=0.40/h,traffic=0.05/GB
  vary: { policy: [opic, round-robin], robots: [8, 16, 32] }   # or a list of names
  experiment: { network: { preset: web } }

Settings that are set do not vary. Finished runs are cached: a plan that was interrupted continues where it stopped.

Examples:
  orbweaver plan docs-web --goal '30% of rank' --machines 2 --robots 8
  orbweaver plan docs-web --within 1m --machines 1 --robots 16 --vary policy,robots --out runs/plan
  orbweaver plan docs-web --goal '2k pages' --goal '40% of hosts' --within 15m --machines 2 --robots 16 --cost machine=0.40/h,traffic=0.05/GB`)
    .action(later(async () => (await import('../actions/plan.ts')).runPlan));
}
