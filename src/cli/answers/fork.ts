import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { catalogue } from '../../graphs/catalogue/index.ts';
import type { Change } from '../../core/events/index.ts';
import { graphChecksum, type WebGraph } from '../../graphs/graph/index.ts';
import {
  isIncomplete, partialOf, readIncomplete, readRunJson, type ForkLeg, type ForkOf, type RunJson,
} from '../../core/measure/index.ts';
import type { SettledExperiment } from '../../core/settings/index.ts';
import { InputError } from '../../base/index.ts';
import { readReplay } from '../flags/config.ts';
import { printableShort } from '../text/printable.ts';

/** The run that a fork goes on from. */
export interface Fork {
  readonly forkOf: ForkOf;
  readonly sha256: string;
  /** The changes of all legs, and the changes made after them. */
  readonly changes: readonly Change[];
}

type Recorded = Pick<RunJson<SettledExperiment>, 'experiment' | 'changes'> & {
  readonly replayHash: string | null;
  readonly dataset: { readonly name: string; readonly sha256: string };
  readonly graph: string | undefined;
};

/** The run that `--from` names. */
export class ForkedRun {
  /** Its record, as a file of settings. */
  readonly config: string;
  readonly #folder: string;
  readonly #run: Recorded;
  readonly #forkOf: ForkOf | undefined;
  readonly #at: number;

  /** @throws InputError if `folder` contains no simulation, or `at` is no superstep. */
  static async open(folder: string, at: string | number | undefined): Promise<ForkedRun> {
    const superstep = z.coerce.number().int().min(0).safeParse(at ?? NaN);
    if (!superstep.success) {
      const words = at === undefined ? 'is missing' : printableShort(String(at));
      throw new InputError(`--at ${words}: name the superstep that the fork begins with, from 0 on`);
    }
    const partial = partialOf(folder);
    const isUnderWay = !existsSync(folder) && isIncomplete(partial);
    const run = isUnderWay ? underWay(partial) : await finished(folder);
    if ('live' in run.experiment)
      throw new InputError(`--from ${printableShort(folder)}: is a live crawl; only simulations can be forked`);
    const config = isUnderWay ? join(partial, 'started.json') : join(folder, 'run.json');
    return new ForkedRun(resolve(folder), config, run, (await readReplay(config)).forkOf, superstep.data);
  }

  private constructor(folder: string, config: string, run: Recorded, forkOf: ForkOf | undefined, at: number) {
    this.#folder = folder;
    this.config = config;
    this.#run = run;
    this.#forkOf = forkOf;
    this.#at = at;
  }

  /** A name or path of its graph. @throws InputError if the record does not say. */
  get graph(): string {
    const { graph, dataset: { name } } = this.#run;
    const source = [graph, name].find((name) => name !== undefined && (isNamed(name) || existsSync(name)));
    if (source !== undefined) return source;
    const words = printableShort(graph ?? name);
    throw new InputError(`--from: name the graph of that run (${words}): orbweaver simulate GRAPH --from DIR --at N`);
  }

  /** Robots of each processor; a fork changes them at its first superstep. */
  get robots(): number {
    return this.#run.experiment.robots;
  }

  /**
   * How the fork begins.
   * @param robots - the number that the fork is to have, if it was asked for.
   * @param isSame - whether no setting was changed: then later changes of the run are made again too.
   */
  fork(robots: number | undefined, isSame: boolean): Fork {
    const { replayHash, experiment, dataset: { sha256 }, changes = [] } = this.#run;
    const superstep = this.#at;
    const legs = this.#forkOf?.legs ?? [];
    const last = legs.find(({ untilSuperstep }) => untilSuperstep >= superstep)?.experiment ?? experiment;
    const allLegs: ForkLeg[] = [
      ...legs.filter(({ untilSuperstep }) => untilSuperstep < superstep),
      { experiment: last, untilSuperstep: superstep },
    ];
    const steering = robots === undefined ? [] : Array.from({ length: experiment.processors }, (_, processor): Change =>
      ({ superstep, processor, observed: 0, setting: 'robots', value: robots }));
    return {
      forkOf: { folder: this.#folder, replayHash, superstep, legs: allLegs }, sha256,
      changes: [...changes.filter((change) => isSame || change.superstep < superstep), ...steering],
    };
  }
}

function isNamed(graph: string): boolean {
  return catalogue.some(({ name }) => name === graph);
}

async function finished(folder: string): Promise<Recorded> {
  const run = await readRunJson<SettledExperiment>(folder);
  return { ...run, graph: run.origin?.graph };
}

/** A run that goes on, or was killed, as far as it is recorded. */
function underWay(folder: string): Recorded {
  const { experiment, graph, dataset, events: { changes } } = readIncomplete<SettledExperiment>(folder);
  if (dataset === undefined)
    throw new InputError(`--from ${printableShort(folder)}: is a live crawl; only simulations can be forked`);
  return { experiment, graph, dataset, changes, replayHash: null };
}

/** How a recorded fork began, to be repeated; undefined for any other file of settings. */
export async function recordedFork(file: string): Promise<Fork | undefined> {
  const { forkOf, sha256, changes } = await readReplay(file);
  return forkOf && { forkOf, sha256, changes };
}

/** @throws InputError if the run crawled another graph. */
export function checkForkGraph(graph: WebGraph, { sha256 }: Fork): void {
  if (graphChecksum(graph) === sha256) return;
  throw new InputError(
    `${printableShort(graph.name)}: is not the graph that the run crawled, or was changed since: its checksum is ` +
      `${graphChecksum(graph).slice(0, 16)}..., that of the run's ${sha256.slice(0, 16)}...`,
  );
}
