import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const file = new URL('../../../../../src/views/service/frontier/protocol/urlfrontier.proto', import.meta.url);

/** The protocol's package, and its service. */
export const packageName = 'urlfrontier';
export const serviceName = `${packageName}.URLFrontier`;

/** What `urlfrontier.proto` declares; with `keepCase`, its fields have the names of the file, not of our objects. */
export function readSchema({ keepCase }: { readonly keepCase: boolean }): protobuf.Root {
  const { root } = protobuf.parse(readFileSync(file, 'utf8'), new protobuf.Root(), { keepCase });
  root.resolveAll();
  return root;
}
