import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** Packages that take longer to load than most commands take, which never use them. */
type LargePackage = '@exodus/bytes/encoding.js' | '@exodus/bytes/whatwg.js' | 're2js' | 'tldts' | 'yaml';

/** A package, loaded with its first use. The build puts it beside the bundle, as a file of its own. */
export function onDemand(name: LargePackage): unknown {
  return load(name);
}
