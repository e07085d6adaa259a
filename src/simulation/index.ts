export { Crashes } from './crashes.ts';
export { Network } from './network.ts';
export type { NetworkOptions } from './options.ts';
export { RobotsTxt } from './robots-txt.ts';
export { SimulatedWorld, type SimulatedWorldState, type Visit } from './simulated-world.ts';
