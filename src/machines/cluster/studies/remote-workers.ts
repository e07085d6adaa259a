import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { codeVersion, type MakeRunner } from '../../../questions/study/index.ts';
import { goodbye, openRedis, shownRedis } from '../index.ts';
import { Trust } from './checks.ts';
import { prefix, queueName, type RunJob } from './job.ts';
import { RemoteRunner } from './remote-runner.ts';

/** How often to look through the queue for what no event reported, and at who is connected. */
const lookMs = 3000;
/** Looks without a worker until this is reported. */
const maxEmptyLooks = 2;

export interface Crew {
  /** Workers of this version, and their threads. */
  readonly workers: number;
  readonly threads: number;
  /** Number of workers of each other version. */
  readonly others: ReadonlyMap<string, number>;
}

export interface RemoteWorkersOptions {
  /** The folder in which graphs are stored for the workers. */
  readonly graphs: string;
  readonly signal?: AbortSignal | undefined;
  readonly onRemark: (text: string) => void;
  /** Called when workers have come or gone. */
  readonly onCrew?: ((crew: Crew) => void) | undefined;
  /** Other than the code's, for tests. @internal */
  readonly version?: string | undefined;
  /** Key of the draw of repeated runs, for tests; random otherwise. @internal */
  readonly secret?: Uint8Array | undefined;
}

interface Connections {
  readonly redis: Redis;
  readonly queue: Queue<RunJob>;
  readonly events: QueueEvents;
}

/** The workers of a Redis server, for processes that have runs for them. */
export class RemoteWorkers {
  readonly #connections: Connections;
  readonly #options: RemoteWorkersOptions;
  readonly #version: string;
  readonly #shownUrl: string;
  readonly #trust: Trust;
  readonly #runners = new Set<RemoteRunner<unknown, unknown>>();
  readonly #timer: NodeJS.Timeout;
  #crew: Crew | undefined;
  #emptyLooks = 0;
  #isLooking = false;

  private constructor(
    url: string, connections: Connections, options: RemoteWorkersOptions, version: string,
  ) {
    const { queue, events } = this.#connections = connections;
    this.#options = options;
    this.#version = version;
    this.#shownUrl = shownRedis(url);
    // Without listeners, BullMQ prints errors whole, and with them the command that failed.
    queue.on('error', () => undefined);
    events.on('error', () => undefined);
    this.#trust = new Trust(options.onRemark, options.secret);
    // Only the queue says how they ended: anybody may write an event.
    const ended = ({ jobId }: { readonly jobId: string }): void => {
      for (const runner of this.#runners) runner.ended(jobId);
    };
    events.on('completed', ended);
    events.on('failed', ended);
    this.#timer = setInterval(() => void this.#look(), lookMs);
  }

  /** @throws as openRedis. */
  static async open(url: string, options: RemoteWorkersOptions): Promise<RemoteWorkers> {
    const { onRemark, version = codeVersion() } = options;
    const redis = await openRedis(url, {
      onConnection: (loss) => onRemark(
        loss === undefined ? 'connected to Redis again' : `the connection to Redis is lost (${loss}); trying again`,
      ),
    });
    const place = { connection: redis, prefix };
    // Events hold results: few are stored, as those who miss one look into the queue.
    const queue = new Queue<RunJob>(queueName(version), { ...place, streams: { events: { maxLen: 2000 } } });
    const events = new QueueEvents(queueName(version), place);
    const workers = new RemoteWorkers(url, { redis, queue, events }, options, version);
    try {
      await events.waitUntilReady();
      await workers.#lookForCrew();
    } catch (error) {
      await workers.close();
      throw error;
    }
    return workers;
  }

  /** Those connected now; undefined if the server does not list them. */
  get crew(): Crew | undefined {
    return this.#crew;
  }

  readonly runner: MakeRunner = (work, takeBack) => {
    const { graphs, signal, onRemark } = this.#options;
    const runner = new RemoteRunner({
      ...this.#connections, version: this.#version, trust: this.#trust,
      work, takeBack, graphs, signal, onRemark, onClose: () => this.#runners.delete(runner as never),
    });
    this.#runners.add(runner as never);
    return runner;
  };

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // They would wait for a server that is away.
    const { redis, queue, events } = this.#connections;
    await goodbye(events.close(), queue.close());
    redis.disconnect();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#connections.redis.status !== 'ready') return;
    this.#isLooking = true;
    try {
      await this.#lookForCrew();
      for (const runner of this.#runners) await runner.look();
    } catch {
      // The connection was lost meanwhile; the next look finds what this one missed.
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookForCrew(): Promise<void> {
    const crew = await crewOf(this.#connections.redis, this.#version);
    const hasChanged = crew?.workers !== this.#crew?.workers || crew?.threads !== this.#crew?.threads;
    this.#crew = crew;
    if (crew !== undefined && hasChanged) this.#options.onCrew?.(crew);
    this.#emptyLooks = crew?.workers === 0 ? this.#emptyLooks + 1 : 0;
    if (crew !== undefined && this.#emptyLooks === maxEmptyLooks) this.#options.onRemark(this.#nobody(crew));
  }

  #nobody({ others }: Crew): string {
    const list = [...others].map(([version, workers]) => `${workers} of version ${version}`).join(', ');
    return `no worker of this version (${this.#version}) is connected to ${this.#shownUrl}` +
      `${list === '' ? '' : `, but ${list}`}; runs wait until one is: orbweaver cluster worker ${this.#shownUrl}`;
  }
}

/** Who is connected, as the server lists it; undefined if this user may not ask. */
async function crewOf(redis: Redis, version: string): Promise<Crew | undefined> {
  const list = await redis.client('LIST').catch(() => undefined);
  return typeof list === 'string' ? crewIn(list, version) : undefined;
}

/** BullMQ names a worker's connection `<prefix>:<queue in base 64>:w:<name>`. */
export function crewIn(list: string, version: string): Crew {
  let [workers, threads] = [0, 0];
  const others = new Map<string, number>();
  const form = new RegExp(` name=${prefix}:([A-Za-z0-9+/=]+):w:([0-9]{1,4})/`, 'g');
  for (const [, queue, ownThreads] of list.matchAll(form)) {
    const name = Buffer.from(queue, 'base64').toString();
    if (name === queueName(version)) {
      workers++;
      threads += Number(ownThreads);
    } else if (name.startsWith(queueName(''))) {
      const other = name.slice(queueName('').length);
      others.set(other, (others.get(other) ?? 0) + 1);
    }
  }
  return { workers, threads, others };
}
