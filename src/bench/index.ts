export { alternate, machine, type BenchCase, type BenchReport, type Side } from './alternate.ts';
