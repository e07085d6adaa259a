export type { Capacity } from './capacity.ts';
export { connectFrontier, type FrontierAt, type FrontierConnection } from './client.ts';
export { FrontierServer, type FrontierServerOptions } from './frontier-server.ts';
export { linkKeysName, linksName } from './items.ts';
export * from './generated/urlfrontier.ts';
