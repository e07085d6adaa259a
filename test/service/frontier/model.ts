/** A URL of the model. */
interface ModelUrl {
  readonly key: string;
  isKnown: boolean;
  date: number;
  leasedUntilMs: number;
  readonly created: number;
}

interface ModelQueue {
  delay: number | undefined;
  blockedUntil: number;
  limit: number;
  servedAtMs: number;
}

export interface Asked {
  readonly key: string | undefined;
  readonly maxUrlsPerQueue: number;
  readonly maxQueues: number;
  readonly leaseSeconds: number;
}

/** The dullest frontier for one crawl: maps that are searched from end to end, and no order of URLs. */
export class Model {
  readonly urls = new Map<string, ModelUrl>();
  readonly queues = new Map<string, ModelQueue>();
  isActive = true;
  delay = 1;

  /** 0 OK, 1 SKIPPED. */
  put(key: string, url: string, date: number | undefined, nowMs: number): number {
    const name = `${key} ${url}`;
    const old = this.urls.get(name);
    if (date === undefined && old !== undefined) return 1;
    if (!this.queues.has(key))
      this.queues.set(key, { delay: undefined, blockedUntil: 0, limit: Infinity, servedAtMs: 0 });
    const seconds = Math.floor(nowMs / 1000);
    this.urls.set(name, {
      key, isKnown: date !== undefined, date: date ?? seconds, leasedUntilMs: 0, created: old?.created ?? seconds,
    });
    return 0;
  }

  inQueue(key: string): ModelUrl[] {
    return [...this.urls.values()].filter((url) => url.key === key);
  }

  /** The queue of a key that has URLs. */
  queue(key: string): ModelQueue | undefined {
    return this.inQueue(key).length > 0 ? this.queues.get(key) : undefined;
  }

  /** How many URLs of each queue may leave now, 0 left out. */
  available({ key: only, maxUrlsPerQueue }: Asked, nowMs: number): Map<string, number> {
    const counts = new Map<string, number>();
    if (!this.isActive) return counts;
    for (const [key, { delay = this.delay, blockedUntil, limit, servedAtMs }] of this.queues) {
      const urls = this.inQueue(key);
      if (only !== undefined && key !== only) continue;
      if (1000 * blockedUntil > nowMs || urls.filter(isDone).length >= limit) continue;
      if (servedAtMs > 0 && servedAtMs + 1000 * delay > nowMs) continue;
      const open = urls.filter((url) => url.leasedUntilMs > nowMs).length;
      const count = Math.min(urls.filter((url) => mayLeave(url, nowMs)).length, maxUrlsPerQueue - open);
      if (count > 0) counts.set(key, count);
    }
    return counts;
  }

  /**
   * Takes note of what a server handed out. Returns what is wrong with it; '' if nothing.
   * @param areShared queues may have served several calls at once, so that fewer of them took part.
   */
  handOut(
    handed: readonly { key: string; url: string }[], asked: Asked, nowMs: number, areShared: boolean,
  ): string {
    const available = this.available(asked, nowMs);
    const given = new Map<string, number>();
    for (const { key, url } of handed) {
      const one = this.urls.get(`${key} ${url}`);
      if (one === undefined || !mayLeave(one, nowMs)) return `${key} ${url} may not leave`;
      one.leasedUntilMs = nowMs + 1000 * asked.leaseSeconds;
      given.set(key, (given.get(key) ?? 0) + 1);
    }
    for (const [key, count] of given) {
      const most = available.get(key) ?? 0;
      if (count > most || (count < most && !areShared)) return `${count} URLs of ${key}, not ${available.get(key) ?? 0}`;
      this.queues.get(key)!.servedAtMs = nowMs;
    }
    const queues = Math.min(asked.maxQueues, available.size);
    return given.size === queues || (areShared && given.size <= queues) ? '' : `${given.size} queues, not ${queues}`;
  }

  stats(nowMs: number): { size: number; inProcess: number; queues: number; done: number } {
    const urls = [...this.urls.values()];
    const done = urls.filter(isDone).length;
    return {
      size: urls.length - done, done, inProcess: urls.filter((url) => url.leasedUntilMs > nowMs).length,
      queues: new Set(urls.map(({ key }) => key)).size,
    };
  }

  /** Deletes URLs that are older than so many days. */
  purge(days: number, nowMs: number): number {
    const before = Math.floor(nowMs / 1000) - 86_400 * days;
    const old = [...this.urls].filter(([, { created }]) => created < before);
    for (const [name] of old) this.urls.delete(name);
    return old.length;
  }

  deleteQueue(key: string): number {
    const urls = this.inQueue(key);
    if (urls.length === 0) return 0;
    for (const [name, url] of [...this.urls]) if (url.key === key) this.urls.delete(name);
    this.queues.delete(key);
    return urls.filter((url) => !isDone(url)).length;
  }
}

const isDone = ({ isKnown, date }: ModelUrl): boolean => isKnown && date === 0;

function mayLeave(url: ModelUrl, nowMs: number): boolean {
  return !isDone(url) && url.leasedUntilMs <= nowMs && (!url.isKnown || url.date <= Math.floor(nowMs / 1000));
}
