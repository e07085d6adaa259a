import { parentPort } from 'node:worker_threads';
import { restoredGraph, type WebGraph } from '../graph/index.ts';
import type { OutcomeLog } from '../measure/index.ts';
import { assert } from '../std/index.ts';
import { assembleCrew, type CrewAssembly } from './assembly.ts';
import type { SuperstepCounts } from '../scheduler/index.ts';
import { MailReader, MailWriter, putArrival, putSettled, takeSettlement, takeWork } from './crew-mail.ts';
import { LocalCrew, stateOf, type Standing, type StateMemory } from './crew.ts';
import type { SettledExperiment } from './schema.ts';

/** What a crew in another thread is assembled from; large arrays over shared memory. */
export interface CrewTask {
  readonly ids: readonly number[];
  readonly graph: WebGraph;
  readonly experiment: SettledExperiment;
  readonly processorOfHost: Uint32Array;
  readonly ranks: Float64Array | undefined;
  readonly scores: Float64Array | undefined;
  /** For the queues' files, of this crew alone. */
  readonly folder: string | undefined;
}

/** What a crew leaves behind: outcomes of each processor, in the order of its ids. */
export interface CrewRecord {
  readonly logs: readonly OutcomeLog[];
  readonly memory: StateMemory;
}

/**
 * What a thread is asked, one after the other, and answers: the calls of a Crew, between `assemble` and `dispose`. What comes every superstep
 * goes by mail, both ways.
 */
export interface CrewCalls {
  assemble(task: CrewTask): Promise<readonly Standing[]>;
  begin(): Promise<void>;
  settle(): Promise<void>;
  revive(resumedUs: number): Promise<{ readonly counts: SuperstepCounts[]; readonly standings: readonly Standing[] }>;
  /** Once, at the end of the crawl. */
  finish(): Promise<CrewRecord>;
  /** Gives back what the crew holds, if there is one. */
  dispose(): Promise<void>;
}

export interface CrewQuestion {
  readonly call: keyof CrewCalls;
  readonly of: unknown;
  /** Of the mail, where it is not that of the last question. */
  readonly memory: SharedArrayBuffer | undefined;
}

export type CrewAnswer = { readonly memory: SharedArrayBuffer | undefined } & (
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly name: string; readonly message: string; readonly stack: string | undefined }
);

const read = new MailReader();
const written = new MailWriter();
let assembly: CrewAssembly | undefined;
let crew: LocalCrew | undefined;

function standing(): LocalCrew {
  assert(crew !== undefined, 'a crew is assembled before it is asked');
  return crew;
}

const calls: CrewCalls = {
  assemble(task) {
    const { ids, graph, experiment, processorOfHost, ranks, scores, folder } = task;
    assembly = assembleCrew(restoredGraph(graph), experiment, processorOfHost, ids, { ranks, scores, folder });
    crew = new LocalCrew(assembly);
    return Promise.resolve(crew.standings);
  },
  async begin() {
    putArrival(written, await standing().begin(takeWork(read, standing().ids.length)));
  },
  async settle() {
    const settled = await standing().settle(takeSettlement(read));
    putSettled(written, settled, standing().standings);
  },
  async revive(resumedUs) {
    return { counts: await standing().revive(resumedUs), standings: standing().standings };
  },
  finish() {
    assert(assembly !== undefined, 'a crew is assembled before it ends its crawl');
    const { processors, recorder } = assembly;
    return Promise.resolve({ logs: standing().ids.map((id) => recorder.logOf(id)), memory: stateOf(processors) });
  },
  dispose() {
    assembly?.dispose();
    assembly = crew = undefined;
    return Promise.resolve();
  },
};

async function answer({ call, of, memory }: CrewQuestion): Promise<CrewAnswer> {
  try {
    read.begin(memory);
    const value = await (calls[call] as (of: unknown) => Promise<unknown>)(of);
    return { kind: 'answer', value, memory: written.end() };
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'failure', name, message, stack, memory: written.end() };
  }
}

const port = parentPort!;
let last: Promise<void> = Promise.resolve();
port.on('message', (question: CrewQuestion) => {
  last = last.then(async () => {
    const given = await answer(question);
    // Copies of the outcomes are moved, not copied again.
    const logs = question.call === 'finish' && given.kind === 'answer' ? (given.value as CrewRecord).logs : [];
    port.postMessage(given, logs.flatMap(({ pages, times }) => [pages.buffer, times.buffer]));
  });
});
