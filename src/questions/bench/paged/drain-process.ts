import { drain, type PagedDrainTask } from './drain.ts';

// One drain in a process of its own, started by `paged-drain.ts`: prints one JSON object, as the peers in C++ do.

// An interrupt is for the benchmark that started this.
process.on('SIGINT', () => undefined);
process.stdout.write(JSON.stringify(drain(JSON.parse(process.argv[2]) as PagedDrainTask)));
