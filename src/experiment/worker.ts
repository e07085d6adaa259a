import { workerData } from 'piscina';
import { StringTable } from '../graph/index.ts';
import { runTrial, type SweepRow, type Trial, type TuneContext } from './trial.ts';

const context = restored(workerData as TuneContext);

/** Cloning between threads keeps the shared arrays and loses the classes around them. */
function restored(cloned: TuneContext): TuneContext {
  const { graph } = cloned;
  const table = ({ offsets, bytes }: StringTable): StringTable => new StringTable(offsets, bytes);
  return {
    ...cloned,
    graph: {
      ...graph,
      paths: graph.paths && table(graph.paths),
      hosts: { ...graph.hosts, names: table(graph.hosts.names) },
    },
  };
}

export default (trial: Trial): Promise<SweepRow | undefined> => runTrial(context, trial);
