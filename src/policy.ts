/**
 * What an author of a policy needs. A policy orders the pages that one processor knows; `simulate`, `tune` and
 * `crawlLive` accept it as an object, the command line and studies as a file.
 *
 * @example
 * ```ts
 * import { definePolicy } from 'orbweaver/policy';
 *
 * const fewHops = definePolicy({
 *   name: 'few-hops',
 *   title: 'the known page with the lowest id',
 *   options: { step: { type: 'integer', minimum: 1, default: 1, description: 'ids that share a key' } },
 *   make: ({ state, options }) => {
 *     const page = state.pages({ key: Uint32Array });
 *     return {
 *       know: (local, id) => { page.key[local] = Math.max(0, 0x7fefffff - Math.floor(id / options.step)); },
 *       key: (local) => page.key[local] ?? 0,
 *       score: (local) => page.key[local] ?? 0,
 *     };
 *   },
 * });
 * console.log(fewHops.name);
 * ```
 *
 * @packageDocumentation
 */
export {
  definePolicy, loadPolicy, type Amounts, type PageOrder, type PolicyContext, type PolicyDefinition, type PolicyState,
} from './core/policy/index.ts';
export { keyLimit, keyOfScore } from './core/queue/index.ts';
export type { PolicyOption } from './core/settings/index.ts';
