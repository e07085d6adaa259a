import { open, readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { folderHost } from '../../../graphs/formats/index.ts';
import { InputError } from '../../../base/index.ts';
import { canonicalHost } from './page-urls.ts';
import { errorReply, type Reply, type Site, type SiteRequest } from './site.ts';

export interface ServedFolder {
  readonly folder: string;
  /** The default is the folder's name below `localhost`, as in readSite. */
  readonly host?: string | undefined;
}

export interface FolderSiteOptions {
  /**
   * Each folder directly within a served one is a host of its own, as in readSite; the outer folder's host has only its
   * own files.
   */
  readonly hostPerFolder?: boolean | undefined;
}

interface HostFolder {
  /** An absolute path without symbolic links. */
  readonly root: string;
  /** The folders in it are other hosts. */
  readonly isTopAlone: boolean;
}

const PIECE_BYTES = 1 << 18;
const INDEX_NAMES = ['index.html', 'index.htm'];
/** Without a charset, so that the one stated in a file applies. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html', '.htm': 'text/html', '.xhtml': 'application/xhtml+xml', '.xml': 'application/xml',
  '.txt': 'text/plain', '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.gif': 'image/gif', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg',
  '.webp': 'image/webp', '.ico': 'image/x-icon', '.pdf': 'application/pdf', '.gz': 'application/gzip',
  '.woff': 'font/woff', '.woff2': 'font/woff2',
};

/**
 * Folders of HTML as a web: each folder is a host, each file below it a page at its path, a folder's `index.html` or
 * `index.htm` at the folder's path with a final slash, to which the path without it redirects. Paths lead to files as
 * in readSite: percent-decoded as UTF-8, one name per segment. Nothing outside is reachable: a path with an empty or
 * dotted segment names no file, nor does a symbolic link that leads out of its folder. Files are read on request, in
 * pieces of 256 KiB.
 */
export class FolderSite implements Site {
  readonly name: string;
  readonly notes: readonly string[];
  readonly #folders: ReadonlyMap<string, HostFolder>;

  /** @throws InputError for a folder that cannot be read, and if two have the same host. */
  static async open(
    served: readonly ServedFolder[], { hostPerFolder = false }: FolderSiteOptions = {},
  ): Promise<FolderSite> {
    const folders = new Map<string, HostFolder>();
    const notes: string[] = [];
    for (const { folder, host } of served) {
      const root = await rootOf(folder);
      const name = host === undefined ? folderHost(resolve(folder)) : canonicalHost(host.toLowerCase());
      if (name === undefined) throw new InputError(`${host}: is not a host name`);
      const other = folders.get(name);
      if (other !== undefined)
        throw new InputError(`${folder}: its host is ${name}, and so is that of ${other.root}; name one HOST=FOLDER`);
      folders.set(name, { root, isTopAlone: hostPerFolder });
      if (!hostPerFolder) continue;
      const entries = await readdir(root, { withFileTypes: true });
      for (const entry of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const host = folderHost(entry.name, name);
        if (folders.has(host))
          notes.push(`${join(root, entry.name)}: not served, because ${host} is another folder's host`);
        else folders.set(host, { root: join(root, entry.name), isTopAlone: false });
      }
    }
    return new FolderSite(served.length === 1 ? served[0].folder : `${served.length} folders`, folders, notes);
  }

  private constructor(name: string, folders: ReadonlyMap<string, HostFolder>, notes: readonly string[]) {
    this.name = name;
    this.#folders = folders;
    this.notes = notes;
  }

  get hosts(): string[] {
    return [...this.#folders.keys()];
  }

  hasHost(host: string): boolean {
    return this.#folders.has(host);
  }

  async reply({ host, authority, path }: SiteRequest): Promise<Reply> {
    const folder = this.#folders.get(host);
    const [, pathname, query] = /^([^?]*)(.*)$/s.exec(path)!;
    const segments = segmentsOf(pathname);
    if (folder === undefined || segments === undefined || (folder.isTopAlone && segments.length > 1))
      return errorReply(404, 'Not Found');
    const { root, isTopAlone } = folder;
    const isFolderPath = segments.at(-1) === '';
    const names = isFolderPath ? segments.slice(0, -1) : segments;
    try {
      const file = await within(root, join(root, ...names));
      if (file?.isFolder === true && !isFolderPath) {
        if (isTopAlone) return errorReply(404, 'Not Found');
        const reply = errorReply(301, 'Moved Permanently');
        return { ...reply, headers: [...reply.headers, 'Location', `http://${authority}${pathname}/${query}`] };
      }
      if (file?.isFolder === false) return isFolderPath ? errorReply(404, 'Not Found') : fileReply(file);
      for (const name of file === undefined ? [] : INDEX_NAMES) {
        const index = await within(root, join(root, ...names, name));
        if (index?.isFolder === false) return fileReply(index);
      }
      return errorReply(404, 'Not Found');
    } catch (error) {
      switch (String((error as NodeJS.ErrnoException).code)) {
        case 'EACCES':
        case 'EPERM':
          return errorReply(403, 'Forbidden');
        case 'EMFILE':
        case 'ENFILE':
          return errorReply(503, 'Service Unavailable');
        default:
          // No such file, a file instead of a folder, or a name that is too long.
          return errorReply(404, 'Not Found');
      }
    }
  }
}

async function rootOf(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new InputError(`${folder}: is a file; name a folder`);
    await readdir(root);
    return root;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(`${folder}: ${code === 'ENOENT' ? 'there is no such folder' : `cannot be read: ${message}`}`);
  }
}

/** The names in a path, the last one empty if it ends with a slash; undefined if it cannot name anything. */
function segmentsOf(pathname: string): string[] | undefined {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  const segments = path.slice(1).split('/');
  const isUnsafe = segments.some((name, i) =>
    name === '.' || name === '..' || (name === '' && i < segments.length - 1));
  return isUnsafe || path.includes('\0') ? undefined : segments;
}

interface Found {
  /** Without symbolic links. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly size: number;
}

/**
 * The file or folder at a path, if it is within `root` after following all symbolic links. Rejects if there is none.
 */
async function within(root: string, path: string): Promise<Found | undefined> {
  const real = await realpath(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (real === undefined || (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)))
    return undefined;
  const facts = await stat(real);
  return facts.isFile() || facts.isDirectory()
    ? { path: real, isFolder: facts.isDirectory(), size: facts.size }
    : undefined;
}

function fileReply({ path, size }: Found): Reply {
  const type = types[extname(path).toLowerCase()] ?? 'application/octet-stream';
  return {
    status: 200, headers: ['Content-Type', type], bytes: size, body: fileBytes(path, size), beginsAfterUs: 0,
    bytesPerUs: Infinity,
  };
}

/** The first `size` bytes of a file, fewer if it has shrunk. Opened when the first piece is requested. */
async function* fileBytes(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (let at = 0; at < size; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
