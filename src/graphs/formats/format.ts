import type { WebGraph } from '../graph/index.ts';
import type { FileStart } from './file-start.ts';
import type { OpenOptions } from './read-options.ts';

/** The kind of a file: a format, a part of a graph, or a form that is refused. */
export interface FileKind {
  /** Its name for users. */
  readonly name: string;
  /** Whether a file's name alone decides, whatever its contents. */
  readonly hasName?: (path: string) => boolean;
  /** Whether a file that begins so is of this kind, if no earlier kind (formats.ts) matches. */
  readonly begins?: (start: FileStart) => boolean;
  /** Why it is not supported, and what can be done instead: the end of a message. */
  readonly refusal?: string;
}

/** A form in which a graph is read. One without `hasName` and `begins` is a folder. */
export interface Format extends FileKind {
  /** What one of its files is called in messages. */
  readonly title: string;
  /** Its contents, in a few words for a help text. */
  readonly holds: string;
  /** Whether several files make one graph; otherwise `paths` below has one. */
  readonly several: boolean;
  /** Whether it reads `dropQuery`; otherwise callers refuse that option. */
  readonly dropsQuery?: true;
  /** The name of the kind whose files may also be parts of the graph. */
  readonly partner?: string;
  readonly read: (paths: readonly string[], options: OpenOptions) => Promise<WebGraph>;
}
