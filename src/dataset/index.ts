export { openGraph } from './open.ts';
export { catalogue, nearestNames, type CatalogueEntry } from './catalogue.ts';
export { readEdgeList } from './edge-list.ts';
export { readAdjacencyList } from './adjacency-list.ts';
export { readTables } from './tables.ts';
