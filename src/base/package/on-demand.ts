import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Packages that take longer to load than most commands take, which never use them. */
type LargePackage = '@exodus/bytes/encoding.js' | '@exodus/bytes/whatwg.js' | 're2js' | 'tldts' | 'yaml';

/** Loads a package when it is first used. The build puts each beside the bundle, as a separate file. */
export function onDemand(name: LargePackage): unknown {
  return load(name);
}
