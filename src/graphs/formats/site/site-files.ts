import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { entriesOf } from '../../../base/files/index.ts';
import { InputError } from '../../../base/index.ts';

/** Bytes of a file that are read, by default. */
export const FILE_LIMIT_BYTES = 1 << 24;

export function hasHtmlName(name: string): boolean {
  return /\.x?html?$/i.test(name);
}

/** Paths of the HTML files below a folder, relative to it, with `/` between, ascending. */
export async function htmlFiles(folder: string, onFault: (fault: string) => void): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let below = folders.pop(); below !== undefined; below = folders.pop()) {
    const at = join(folder, below);
    const entries = await entriesOf(at).catch((error: unknown) => {
      if (below === '' || !(error instanceof InputError)) throw error;
      onFault(error.message);
      return [];
    });
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(`${below}${entry.name}/`);
      else if (entry.isFile() && hasHtmlName(entry.name)) files.push(below + entry.name);
    }
  }
  return files.sort();
}

export interface FileHead {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The first bytes of a file, up to a limit. Synchronous: for small files, promises take longer than reading. */
export function headOfFile(path: string, limitBytes = FILE_LIMIT_BYTES): FileHead {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, limitBytes));
    const bytesRead = readSync(file, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), size };
  } finally {
    closeSync(file);
  }
}

/** The base of links; its host represents the folder. */
export const ROOT = new URL('http://localhost/');

/** The HTML files of a folder as the pages of a site: their URLs, and the file that a URL means. */
export class SiteFiles {
  /** Relative to the folder, with `/` between. */
  readonly paths: readonly string[];
  readonly #pageOf: ReadonlyMap<string, number>;

  constructor(paths: readonly string[]) {
    this.paths = paths;
    this.#pageOf = new Map(paths.map((path, page) => [`/${path}`, page]));
  }

  /** Below ROOT: the base of its links. */
  urlBelowRoot(page: number): URL {
    return new URL(urlPath(this.paths[page]), ROOT);
  }

  /** The page of a path in URLs: the file, or the index of a folder; undefined if there is none. */
  pageAt(pathname: string): number | undefined {
    let path = pathname;
    try {
      path = decodeURIComponent(pathname);
    } catch {
      // Bytes that are not UTF-8 name no file here.
    }
    const folder = path.endsWith('/') ? path : `${path}/`;
    return this.#pageOf.get(path) ?? this.#pageOf.get(`${folder}index.html`) ?? this.#pageOf.get(`${folder}index.htm`);
  }

  /** Host and path of a page. @param folder - path of the folder; its name becomes the host's. */
  placeOf(page: number, folder: string, hostPerFolder = false): [host: string, path: string] {
    const path = this.paths[page];
    const host = folderHost(resolve(folder));
    const end = hostPerFolder ? path.indexOf('/') : -1;
    return end < 0 ? [host, urlPath(path)] : [folderHost(path.slice(0, end), host), urlPath(path.slice(end + 1))];
  }
}

/** The path of a file in URLs. A percent sign or a backslash in its name is encoded. */
function urlPath(file: string): string {
  const url = new URL(ROOT);
  url.pathname = `/${file.replaceAll('%', '%25').replaceAll('\\', '%5C')}`;
  return url.pathname;
}

/** The host of a folder: its name, as far as that is allowed in hosts, below `localhost` or another host. */
export function folderHost(folder: string, below = 'localhost'): string {
  const label = basename(folder).toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+|-+$/g, '');
  return `${label || 'site'}.${below}`;
}
