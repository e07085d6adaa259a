export { mergeCrawls, type MergedCrawl } from './merge-crawls.ts';
