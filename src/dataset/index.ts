export { openGraph } from './open.ts';
export type { ReadOptions } from './read-options.ts';
export { catalogue, nearestNames, type CatalogueEntry } from './catalogue.ts';
export { readEdgeList } from './edge-list.ts';
export { readAdjacencyList } from './adjacency-list.ts';
export { readTables } from './tables.ts';
export { readOwg, writeOwg } from './owg.ts';
export { graphChecksum } from './checksum.ts';
export { quoted } from './quote.ts';
