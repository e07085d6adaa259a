export { IndexReader, openIndex, type ReaderOptions } from './index-reader.ts';
export { IndexWriter, type IndexOptions, type StopWords } from './index-writer.ts';
export type { FinishProgress } from './finish.ts';
export { grouped, startsOfKeys } from './numbers.ts';
export { preparedPages, type PreparedPage, type PreparedPages, type ReadPage } from './prepared-pages.ts';
export { BEGINNING_CHARS, decodeAnchors, decodeText, type DocumentText } from './rows.ts';
