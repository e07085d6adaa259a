export type { Capacity } from './capacity.ts';
export { connectFrontier, type FrontierAt, type FrontierConnection } from './client.ts';
export { FrontierServer, type FrontierServerOptions } from './frontier-server.ts';
export { linkKeysName, linksName } from './items.ts';
export { itemOfJson, jsonOf } from './protocol/json.ts';
export type * from './protocol/messages.ts';
export { urlFrontierService, type URLFrontierClient } from './protocol/service.ts';
