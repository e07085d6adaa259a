import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternate, machine, type BenchCase, type BenchReport, type Side } from '../../../src/questions/bench/index.ts';
import { compileCpp, type CppProgram } from '../../../src/questions/bench/peers/cpp-program.ts';
import {
  componentAlgorithms, distanceAlgorithms, UNREACHED, type DistanceMatrix,
} from '../../../src/graphs/graph/growing/index.ts';
import { sequenceOf } from './sequences.ts';

/** Algorithm 1 as printed and its pruned form, by the names that growing.cpp has for them. */
const kinds = [
  { printed: ['insertion'], pruned: 'pruned' },
  { printed: ['closure-8', 'closure-16', 'closure-32', 'closure-64'], pruned: 'pruned-closure' },
];
/** What takes less processor time is repeated within a measurement. */
const LEAST_MS = 20;

const unit = 'ms of processor time';

interface Task {
  readonly what: string;
  readonly pages: number;
  /** Pairs of pages. */
  readonly arcs: Uint32Array;
  /** How often it is done: figures are means. */
  readonly times: number;
  /** What every side must come to. */
  readonly checksum: number;
}

interface Measured {
  /** Of processor time, once. */
  readonly seconds: number;
  readonly checksum: number;
}

/**
 * Distances and components of a graph that grows: Algorithm 1 as printed beside the same in C++ and beside its pruned
 * form, which then is beside its own in C++. Blocks of bits are also beside a C++ that unites no wider ones.
 */
export async function benchGrowing(name: string, rounds: number): Promise<BenchReport> {
  const { pages, arcs: pairs } = await sequenceOf(name);
  const arcs = Uint32Array.from(pairs.flat());
  const compiled = [
    { title: 'C++', program: await compileCpp('growing.cpp') },
    { title: 'C++ without vectors', program: await compileCpp('growing.cpp', ['-fno-tree-vectorize']) },
  ];
  const peers = compiled.flatMap(({ title, program }) => {
    if (typeof program !== 'string') return [{ title, program }];
    console.error(`${title} is left out: ${program}`);
    return [];
  });
  const cases: BenchCase[] = [];
  try {
    for (const { printed, pruned } of kinds) {
      const { checksum } = measure({ what: pruned, pages, arcs, times: 1, checksum: 0 });
      const taskOf = (what: string): Task => repeated({ what, pages, arcs, times: 1, checksum });
      const prunedTask = taskOf(pruned);
      for (const what of printed) {
        const task = taskOf(what);
        // Cells are compared one by one, with no vectors to leave out.
        const beside = peers.slice(0, what === 'insertion' ? 1 : 2);
        const sides = [ownSide(task), ...beside.map((peer) => peerSide(task, peer)), ownSide(prunedTask)];
        cases.push(...(await alternate(sides, rounds)).cases);
      }
      const sides = [ownSide(prunedTask), ...peers.slice(0, 1).map((peer) => peerSide(prunedTask, peer))];
      cases.push(...(await alternate(sides, rounds)).cases);
    }
  } finally {
    for (const { program } of peers) await program.remove();
  }
  return { machine: `${machine()}; ${name}: ${pages} pages, ${pairs.length} arcs`, cases };
}

/** The task, as often as a measurement needs. Warms the kernel up. */
function repeated(task: Task): Task {
  let least = Infinity;
  for (let run = 0; run < 10 && least > 1e-4 && (run < 2 || least < LEAST_MS / 1000); run++)
    least = Math.min(least, measure(task).seconds);
  return { ...task, times: Math.max(1, Math.min(1000, Math.ceil(LEAST_MS / 1000 / Math.max(least, 1e-6)))) };
}

function ownSide(task: Task): Side {
  return { name: task.what, measuresIn: unit, run: () => millisecondsOf(task, measure(task)) };
}

function peerSide(task: Task, { title, program }: { title: string; program: CppProgram }): Side {
  const { what, pages, arcs, times } = task;
  const file = join(program.folder, 'arcs');
  return {
    name: `${what}, ${title}`,
    measuresIn: unit,
    run: async () => {
      await writeFile(file, arcs);
      return millisecondsOf(task, await program.run([what, String(pages), file, String(times)]) as Measured);
    },
  };
}

function millisecondsOf(task: Task, { seconds, checksum }: Measured): number {
  if (checksum !== task.checksum) throw new Error(`${task.what} comes to ${checksum}, not ${task.checksum}`);
  return 1000 * seconds;
}

function measure({ what, pages, arcs, times }: Task): Measured {
  const distances = distanceAlgorithms.find(({ name }) => name === what);
  const components = componentAlgorithms.find(({ name }) => name === what.replace('pruned-closure', 'pruned'));
  let microseconds = 0;
  let checksum = 0;
  for (let time = 0; time < times; time++) {
    const growing = distances?.make(pages, 1) ?? components!.make(pages, 1);
    const before = process.cpuUsage();
    for (let at = 0; at < arcs.length; at += 2) growing.addArc(arcs[at], arcs[at + 1]);
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
    checksum = 'distances' in growing ? checksumOf(growing.distances) : growing.count;
  }
  return { seconds: microseconds / 1e6 / times, checksum };
}

/** The sum of distance + 1 over all pairs that are reached. */
function checksumOf({ counts }: DistanceMatrix): number {
  return counts.subarray(0, UNREACHED).reduce((sum, pairs, distance) => sum + (distance + 1) * pairs, 0);
}
