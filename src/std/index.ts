export { assert, AssertionError, InputError, WorldError } from './errors.ts';
export { barrier, newBarrierMemory } from './barrier.ts';
export { BitSet } from './bit-set.ts';
export { DrawStream, exp, inverseNormal, log } from './draw.ts';
export { editDistance } from './edit-distance.ts';
export { grown } from './growable.ts';
export { kernelModule } from './kernel-module.ts';
export { xorshift32 } from './xorshift32.ts';
export { workerModule } from './worker-module.ts';
