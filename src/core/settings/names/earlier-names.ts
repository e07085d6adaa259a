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

/** Settings that earlier versions did not have, and what they did: a record without one of them means this. */
const earlierDefaults: Readonly<Record<string, unknown>> = {
  deniedCost: 'delay', hostPatienceMs: 0, pendingKeys: 'frozen',
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

/**
 * The settings of a record, a fork or a store as their version meant them: those that it did not have are as it did
 * without. Not for settings that a user writes, which have the defaults of now.
 */
export function withEarlierDefaults<T>(settings: T): T {
  const current = withCurrentNames(settings);
  if (current === null || typeof current !== 'object' || Array.isArray(current)) return current;
  return { ...earlierDefaults, ...current };
}
