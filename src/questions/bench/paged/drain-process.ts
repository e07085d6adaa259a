import { drain, type PagedDrainTask } from './drain.ts';

// A drain in another process, started by `paged-drain.ts`: prints a JSON object, as the peers in C++ do.

// An interrupt is for the benchmark that started this.
process.on('SIGINT', () => undefined);
process.stdout.write(JSON.stringify(drain(JSON.parse(process.argv[2]) as PagedDrainTask)));
