/** When the steps of a request happened, by `performance.now()`; what was not reached is undefined. */
export interface RequestTimes {
  startMs?: number;
  /** Undefined if an open connection was used. */
  connectedMs?: number;
  /** The headers of the answer had arrived. */
  firstByteMs?: number;
  endMs?: number;
}
