export { SearchServer, type SearchServerOptions } from './search-server.ts';
