export type { GraphStore } from './graph-store.ts';
export { RemoteWorkers, type Crew, type RemoteWorkersOptions } from './remote-workers.ts';
export { runWorker, type WorkerOptions } from './worker.ts';
