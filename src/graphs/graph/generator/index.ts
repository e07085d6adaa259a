export { copying, copyingDefaults, type CopyingOptions } from './copying.ts';
export { kronecker, type KroneckerOptions } from './kronecker.ts';
