export { exportForms, exportFormOf, exportIndex, type ExportOptions } from './export-index.ts';
export type { ExportedDocument } from './exported-documents.ts';
