import { asSharedUint32, hostsFromNames, StringTable, type GraphParts } from '../graph/index.ts';
import type { ReadOptions } from './read-options.ts';
import { listedPages } from './url-lists/listed-pages.ts';

/** The attributes of a node in a document, by name. */
export type NodeAttributes = Readonly<Record<string, unknown>>;

/**
 * Hosts, paths, sizes and source ids of nodes, as far as their document has them. A page is identified by, in this
 * order: the attributes `host` and `path` of every node (as written by writeGexf), with `bytes`; a URL that every node
 * has as attribute `url`, as `label` or as key; a label or key, which becomes the path on drawn hosts. Ascending
 * integer keys are stored as `sourceIds`.
 */
export function placesOf(
  keys: readonly string[], attributes: readonly NodeAttributes[], name: string, onNote: ReadOptions['onNote'],
): Pick<GraphParts, 'hosts' | 'paths' | 'bytes' | 'sourceIds'> {
  const textOfAll = (attribute: string): string[] | undefined => {
    const texts = attributes.map((of) => of[attribute]);
    return texts.every((text) => typeof text === 'string' && text !== '') ? (texts as string[]) : undefined;
  };
  const ids = keys.map((key) => (/^(0|[1-9][0-9]{0,9})$/.test(key) ? Number(key) : NaN));
  const areIds = ids.every((id, i) => id < 2 ** 32 && (i === 0 || id > ids[i - 1]));
  const sizes = attributes.map((of) => Number(of['bytes'] ?? NaN));
  const rest = {
    sourceIds: areIds && ids.some((id, i) => id !== i) ? shared(ids) : undefined,
    bytes: sizes.every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 32) ? shared(sizes) : undefined,
  };
  const hosts = textOfAll('host');
  if (hosts?.every((host) => !/[\s\p{Cc}]/u.test(host)) === true) {
    const paths = textOfAll('path');
    const fromSlash = paths?.map((path) => (path.startsWith('/') ? path : `/${path}`));
    return { ...rest, hosts: hostsFromNames(hosts), paths: fromSlash && StringTable.from(fromSlash) };
  }
  const labels = textOfAll('label');
  const urls = [textOfAll('url'), labels, keys].find((texts) => texts?.every((text) => text.includes('://')));
  if (urls) return { ...rest, ...listedPages(name, urls, onNote) };
  const names =
    labels && (!areIds || labels.some((label, i) => label !== keys[i])) ? labels : areIds ? undefined : keys;
  return { ...rest, ...(names && { paths: StringTable.from(names.map((text) => `/${text}`)) }) };
}

function shared(values: readonly number[]): Uint32Array {
  return asSharedUint32(Uint32Array.from(values));
}
