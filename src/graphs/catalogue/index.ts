export { catalogue, nearestNames, type CatalogueEntry } from './catalogue.ts';
export { download, downloadLimits, type DownloadLimits, type DownloadMachine } from './download.ts';
export { fetchDataset, type FetchedDataset, type FetchOptions, type FetchProgress } from './fetch-dataset.ts';
export {
  datasetsFolder, fetchedFolder, fetchedNames, graphsFolder, readRecord, studiesFolder, verifyDataset,
  type DatasetRecord, type FileRecord, type VerifiedFile,
} from './fetched.ts';
export { checkGraphName, graphSource, openFiles, openGraph, storedGraphFile } from './open.ts';
export { publicDatasets, type PublicDataset } from './public-datasets.ts';
