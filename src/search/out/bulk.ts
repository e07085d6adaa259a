import { createHash } from 'node:crypto';
import { writeAll, writeFiles } from '../../base/files/index.ts';
import type { ExportedDocument } from './exported-documents.ts';

const BUFFER_CHARS = 1 << 20;

/**
 * Writes documents as bodies of the bulk API of Elasticsearch and OpenSearch: NDJSON, two lines per document. The first
 * is the action; the URL of the request names the index. The identifier is a hash of the document's URL, so a document
 * that is sent again replaces the earlier one.
 *
 * Errors   as writeFiles, and as `documents`.
 * Memory   one document, and 1 MB of lines.
 */
export async function writeBulk(path: string, documents: AsyncIterable<ExportedDocument>): Promise<void> {
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
