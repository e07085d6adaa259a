import { writeParquetTable, type GroupedTable } from '../../graphs/formats/index.ts';
import type { ExportedDocument } from './exported-documents.ts';

type Columns = Record<keyof ExportedDocument, GroupedTable['columns'][number]['kind']>;

const kinds: Columns = {
  url: 'texts', urls: 'lists of texts', host: 'texts', title: 'texts', headings: 'lists of texts', body: 'texts',
  description: 'texts', language: 'texts', anchors: 'lists of texts', pagerank: 'numbers',
};
const columns = (Object.keys(kinds) as (keyof ExportedDocument)[]).map((name) => ({ name, kind: kinds[name] }));

/** UTF-16 units of text per row group. */
const GROUP_CHARS = 1 << 25;

/**
 * Writes documents as a table in Apache Parquet, a row per document.
 *
 * @param groupChars - UTF-16 units of text after which a row group ends.
 * Errors   as writeFiles, and as `documents`.
 * Memory   a row group of 32 Mi UTF-16 units and one document.
 */
export async function writeDocumentTable(
  path: string, documents: AsyncIterable<ExportedDocument>, groupChars = GROUP_CHARS,
): Promise<void> {
  await writeParquetTable(path, { name: 'documents', columns, groups: groupsOf(documents, groupChars) });
}

async function* groupsOf(
  documents: AsyncIterable<ExportedDocument>, groupChars: number,
): AsyncGenerator<unknown[][], void, void> {
  let group: ExportedDocument[] = [];
  let chars = 0;
  for await (const document of documents) {
    group.push(document);
    chars += charsOf(document);
    if (chars < groupChars) continue;
    yield transposed(group);
    group = [];
    chars = 0;
  }
  if (group.length > 0) yield transposed(group);
}

function transposed(group: readonly ExportedDocument[]): unknown[][] {
  return columns.map(({ name }) => group.map((document) => document[name]));
}

function charsOf(document: ExportedDocument): number {
  return Object.values(document).flat().reduce((sum: number, value) => sum + String(value).length, 0);
}
