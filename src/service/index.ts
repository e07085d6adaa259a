export { CrawlCounts } from './metrics/crawl-counts.ts';
export { crawlMetrics } from './metrics/crawl-metrics.ts';
export { MetricsServer } from './metrics/metrics-server.ts';
export { FolderSite, type FolderSiteOptions, type ServedFolder } from './web/folder-site.ts';
export { GraphSite, type GraphSiteOptions } from './web/graph-site.ts';
export { PageUrls } from './web/page-urls.ts';
export { logLine, type LoggedRequest } from './web/request-log.ts';
export type { NoReply, Reply, Site, SiteRequest } from './web/site.ts';
export { WebServer, type WebServerOptions } from './web/web-server.ts';
