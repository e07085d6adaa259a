import type { WebGraph } from '../graph/index.ts';
import type { FileStart } from './file-start.ts';
import type { OpenOptions } from './read-options.ts';

/** What a file may be: of a format, of what belongs to one and is no graph alone, or of one that is refused. */
export interface FileKind {
  /** What a user calls it. */
  readonly name: string;
  /** Whether a file is one by its name, whatever stands in it. */
  readonly hasName?: (path: string) => boolean;
  /** Whether a file that begins so is one, where no kind before it (formats.ts) took it for its own. */
  readonly begins?: (start: FileStart) => boolean;
  /** Why it is not read, and what can be done instead: the end of a message. */
  readonly refusal?: string;
}

/** A form in which a graph is read. One without `hasName` and `begins` is a folder's. */
export interface Format extends FileKind {
  /** What one of its files is, in a message. */
  readonly title: string;
  /** What stands in it, in a few words for a help text. */
  readonly holds: string;
  /** Whether several files make one graph; else `paths` below has one. */
  readonly several: boolean;
  /** The kind, by name, of what else may stand among the files of a graph. */
  readonly partner?: string;
  readonly read: (paths: readonly string[], options: OpenOptions) => Promise<WebGraph>;
}
