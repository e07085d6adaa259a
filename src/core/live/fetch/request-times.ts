/** The steps of the last request of a download, by `performance.now()`; what was not reached is undefined. */
export interface RequestTimes {
  /** Undefined if an open connection was used. */
  connectedMs?: number | undefined;
  /** The headers of the answer had arrived. */
  firstByteMs?: number | undefined;
  endMs?: number | undefined;
}

/** The same of a page, with the moment when its robot took it up. */
export interface PageTimes extends RequestTimes {
  /** On the crawl's clock; what it then had to wait for its host or address to be free is added. */
  startUs: number;
}
