/** Settings that have had another name, by that name: records and files with it are still read. */
const earlierNames: Readonly<Record<string, string>> = {
  backoffMostMs: 'maxBackoffMs',
  decodedRatioMost: 'maxDecodedRatio',
  redirectsMost: 'maxRedirects',
  linksMost: 'maxLinks',
  urlLengthMost: 'maxUrlLength',
  bodiesMostBytes: 'maxOpenBodiesBytes',
  hostPagesMost: 'maxHostPages',
  depthMost: 'maxDepth',
  segmentRepeatsMost: 'maxSegmentRepeats',
};

/** The name that a setting has now. */
export function currentName(name: string): string {
  return Object.hasOwn(earlierNames, name) ? earlierNames[name] : name;
}

/** The name that a setting had before; undefined if it always had its name. */
export function earlierName(name: string): string | undefined {
  return Object.keys(earlierNames).find((earlier) => earlierNames[earlier] === name);
}

/** Settings as an earlier version wrote them, under the names that they have now; anything else unchanged. */
export function withCurrentNames<T>(settings: T): T {
  if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) return settings;
  const names = Object.keys(settings);
  if (!names.some((name) => currentName(name) !== name)) return settings;
  const entries: [string, unknown][] = Object.entries(settings);
  return Object.fromEntries(entries.map(([name, value]) => [currentName(name), value])) as T;
}
