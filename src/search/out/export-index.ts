import { createHash } from 'node:crypto';
import { writeAll, writeFiles } from '../../base/files/index.ts';
import { InputError } from '../../base/index.ts';
import type { IndexReader } from '../index.ts';
import { writeDocumentTable } from './document-table.ts';
import { exportedDocuments, type ExportedDocument } from './exported-documents.ts';

interface ExportForm {
  /** Ending of its file's name. */
  readonly ending: string;
  readonly title: string;
  readonly write: (path: string, documents: AsyncIterable<ExportedDocument>) => Promise<void>;
}

export const exportForms: readonly ExportForm[] = [
  { ending: '.ndjson', title: 'bulk requests of Elasticsearch and OpenSearch', write: writeBulk },
  { ending: '.parquet', title: 'a table for DuckDB, pandas and Spark', write: writeDocumentTable },
];

/** @throws InputError for a file name whose ending names no form. */
export function exportFormOf(path: string): ExportForm {
  const form = exportForms.find(({ ending }) => path.endsWith(ending));
  if (form === undefined) {
    const endings = exportForms.map(({ ending, title }) => `${ending} (${title})`).join(' or ');
    throw new InputError(`${path}: must end with ${endings}`);
  }
  return form;
}

export interface ExportOptions {
  /** Called after each document. */
  readonly onDocument?: ((documents: number) => void) | undefined;
  /** Ends the export with its reason; no file is left. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the documents of an index to a file, whose ending chooses the form. The same index gives the same bytes.
 *
 * Errors   InputError for another ending and a damaged index; as writeFiles.
 * Cost     O(index). Memory: 100 MB of texts of links, a row group.
 */
export async function exportIndex(
  index: IndexReader, path: string, { onDocument, signal }: ExportOptions = {},
): Promise<void> {
  const documents = async function* (): AsyncGenerator<ExportedDocument> {
    let count = 0;
    for await (const document of exportedDocuments(index, { signal })) {
      yield document;
      onDocument?.(++count);
    }
  };
  await exportFormOf(path).write(path, documents());
}

/** Lines that are written at once. */
const BUFFER_CHARS = 1 << 20;

/**
 * Writes documents as bodies of the bulk API of Elasticsearch and OpenSearch: NDJSON, two lines per document. The first
 * is the action; the URL of the request names the index. The identifier is a hash of the document's URL, so a document
 * that is sent again replaces the earlier one.
 *
 * Errors   as writeFiles, and as `documents`.
 * Memory   one document, and 1 MB of lines.
 */
async function writeBulk(path: string, documents: AsyncIterable<ExportedDocument>): Promise<void> {
  await writeFiles([path], async ([file]) => {
    let lines = '';
    for await (const document of documents) {
      lines += `${JSON.stringify({ index: { _id: idOf(document) } })}\n${JSON.stringify(document)}\n`;
      if (lines.length < BUFFER_CHARS) continue;
      await writeAll(file, Buffer.from(lines));
      lines = '';
    }
    await writeAll(file, Buffer.from(lines));
  });
}

/** Identifiers have at most 512 bytes, and URLs may be longer. */
function idOf({ url }: ExportedDocument): string {
  return createHash('sha256').update(url).digest('hex');
}
