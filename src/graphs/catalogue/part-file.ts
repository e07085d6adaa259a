import { createHash, type Hash } from 'node:crypto';
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { syncFolder, writeAll, writeError, writeFiles } from '../../base/files/index.ts';

/** A server's statements about the file of which this is a part. */
const originSchema = z.object({ url: z.string(), etag: z.string().optional(), lastModified: z.string().optional() });

export type Origin = Readonly<z.output<typeof originSchema>>;

const CHUNK_BYTES = 1 << 20;

/**
 * The bytes received of a file that is being downloaded: `FILE.part`, and beside it `FILE.part.json`, its origin. Both
 * stay when the download is interrupted, and go when the file is whole and has its own name.
 */
export class PartFile {
  readonly path: string;
  readonly #file: FileHandle;
  #hashes: { readonly sha256: Hash; readonly md5: Hash } = newHashes();
  #bytes = 0;
  #origin: Origin | undefined;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Opens the part of the file `path`, with what came of `url` before; it is read once, since its hashes go on from
   * there.
   * Errors   InputError if it may not be written.
   */
  static async open(path: string, url: string): Promise<PartFile> {
    const file = await open(partOf(path), 'a+').catch((error: unknown) => {
      throw writeError(partOf(path), error);
    });
    const part = new PartFile(path, file);
    const origin = await readOrigin(path);
    if (origin?.url === url) await part.#goOn(origin);
    else await part.clear();
    return part;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get origin(): Origin | undefined {
    return this.#origin;
  }

  async #goOn(origin: Origin): Promise<void> {
    this.#origin = origin;
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#file.read(buffer, 0, CHUNK_BYTES, this.#bytes);
      if (bytesRead === 0) return;
      this.#count(buffer.subarray(0, bytesRead));
    }
  }

  /** Discards what was received. */
  async clear(): Promise<void> {
    // The origin goes first: beside bytes of another file it would be believed.
    await rm(originOf(this.path), { force: true });
    await this.#file.truncate(0);
    this.#hashes = newHashes();
    this.#bytes = 0;
    this.#origin = undefined;
  }

  /** Starts again with a file of this origin. */
  async begin(origin: Origin): Promise<void> {
    await this.clear();
    await writeFiles([originOf(this.path)], async ([file]) => file.writeFile(JSON.stringify(origin)), {
      replacesLinks: true,
    });
    this.#origin = origin;
  }

  /** Errors   WorldError if the disk is full or fails. */
  async append(bytes: Uint8Array): Promise<void> {
    try {
      await writeAll(this.#file, bytes);
    } catch (error) {
      throw writeError(partOf(this.path), error);
    }
    this.#count(bytes);
  }

  #count(bytes: Uint8Array): void {
    this.#hashes.sha256.update(bytes);
    this.#hashes.md5.update(bytes);
    this.#bytes += bytes.length;
  }

  /** Hashes of everything received, in hex. */
  digests(): { readonly sha256: string; readonly md5: string } {
    return { sha256: this.#hashes.sha256.copy().digest('hex'), md5: this.#hashes.md5.copy().digest('hex') };
  }

  /** Gives the file its own name, flushed to the disk, and closes it. */
  async finish(): Promise<void> {
    try {
      await this.#file.sync();
      await this.#file.close();
      await rename(partOf(this.path), this.path);
      await rm(originOf(this.path), { force: true });
      await syncFolder(dirname(this.path));
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  /** Closes a part that is not whole: it stays, unless there is nothing in it. */
  async close(): Promise<void> {
    await this.#file.close();
    if (this.#bytes > 0) return;
    await rm(partOf(this.path), { force: true });
    await rm(originOf(this.path), { force: true });
  }
}

/** Path of the part of a file during the download. */
export function partOf(path: string): string {
  return `${path}.part`;
}

function originOf(path: string): string {
  return `${path}.part.json`;
}

/** Undefined where there is none that can be read: the part then starts again. */
async function readOrigin(path: string): Promise<Origin | undefined> {
  try {
    return originSchema.parse(JSON.parse(await readFile(originOf(path), 'utf8')));
  } catch {
    return undefined;
  }
}

function newHashes(): { readonly sha256: Hash; readonly md5: Hash } {
  return { sha256: createHash('sha256'), md5: createHash('md5') };
}
