export { barrier, newBarrierMemory } from './barrier.ts';
export { EndedThread } from './failure.ts';
export { collectLessOften } from './heap-growth.ts';
export { answerOwner, poolWorker, remarkToOwner } from './in-thread.ts';
export { loaderArguments, threadModule } from './thread-module.ts';
export { WorkerHandle, type WorkerOptions } from './worker-handle.ts';
export { WorkerPool, type PoolOptions } from './worker-pool.ts';
export { WorkerTeam } from './worker-team.ts';
