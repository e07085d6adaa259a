export { Crashes } from './crashes.ts';
export { Network, type NetworkOptions } from './network.ts';
export { SimulatedWorld } from './simulated-world.ts';
