import { SortedCbt, WasmCbt } from '../../src/queue/index.ts';
import { describeQueue } from '../conformance/queue.ts';

for (const block of [1, 2, 3, 8, 32, 1000]) {
  describeQueue(`sorted CBT, R = ${block}`, block, () => new SortedCbt(block));
  describeQueue(`sorted CBT in WebAssembly, R = ${block}`, block, () => new WasmCbt(block));
}
