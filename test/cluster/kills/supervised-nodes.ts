import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mainFile } from '../../cli/command.ts';

/** How a process ended, and the end of what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
}

interface Running {
  readonly child: ChildProcess;
  /** Whether it has seen all nodes: it is the node. */
  readonly hasJoined: () => boolean;
  readonly closed: Promise<Ended>;
}

/** A crawl on several nodes, by the command, each started again when it was killed. */
export class SupervisedNodes {
  /** Whatever a process said or did that it should not. After the first one, all nodes are ended. */
  readonly faults: string[] = [];
  readonly folder: string;
  /** Resolves when all nodes have ended. */
  readonly ended: Promise<unknown>;
  /** Resolves when all have ended, or one has failed. */
  readonly over: Promise<unknown>;
  #hasFailed: () => void = () => undefined;
  readonly #args: readonly string[];
  /** Looks at the folder of a node whose process has ended, before another one begins. */
  readonly #look: (node: number) => Promise<void>;
  readonly #running: Set<Running>[];
  /** Strangers, too. */
  readonly #children = new Set<ChildProcess>();
  /** By node: what must be over before a process may start. */
  readonly #alone: Promise<unknown>[];
  #hasEnded = false;

  constructor(folder: string, nodes: number, args: readonly string[], look: (node: number) => Promise<void>) {
    this.folder = folder;
    this.#look = look;
    this.#args = args;
    this.#running = Array.from({ length: nodes }, () => new Set());
    this.#alone = Array.from({ length: nodes }, async () => Promise.resolve());
    this.ended = Promise.all(this.#running.map(async (_, node) => this.#supervise(node))).then(() => {
      this.#hasEnded = true;
    });
    this.over = Promise.race([this.ended, new Promise<void>((resolve) => { this.#hasFailed = resolve; })]);
  }

  /** A method, for the compiler: it changes while others are awaited. */
  isOver(): boolean {
    return this.#hasEnded || this.faults.length > 0;
  }

  folderOf(node: number): string {
    return join(this.folder, `node-${node}`);
  }

  /** Kills the processes of a node, of which there is one at least; then it is started again. */
  async kill(node: number): Promise<void> {
    await this.#until(() => this.#running[node].size > 0);
    const hasKilled = await this.#exclusively(node, async () => {
      const ends = await Promise.all([...this.#running[node]].map(async ({ child, closed }) => {
        child.kill('SIGKILL');
        return closed;
      }));
      await this.#look(node);
      return ends.some(({ signal }) => signal === 'SIGKILL');
    });
    if (!hasKilled && !this.isOver()) await this.kill(node);
  }

  /**
   * Asks a node that takes part to end; then it is started again.
   * @param meanwhile called when it has been asked, and what is under way is to end.
   */
  async stop(node: number, meanwhile: () => void): Promise<void> {
    await this.#joined(node);
    await this.#exclusively(node, async () => {
      const running = [...this.#running[node]];
      for (const { child } of running) child.kill('SIGTERM');
      meanwhile();
      await Promise.all(running.map(async ({ closed }) => closed));
      await this.#look(node);
    });
  }

  /** Pauses a node that takes part for so long, and lets it go on when `meanwhile` is over too. */
  async pause(node: number, ms: number, meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#joined(node);
    const stopped = [...this.#running[node]];
    for (const { child } of stopped) child.kill('SIGSTOP');
    await Promise.all([sleep(ms), meanwhile()]);
    for (const { child } of stopped) child.kill('SIGCONT');
  }

  /**
   * A second process for a node that takes part, in its folder. If that is free just then, the process becomes the
   * node, and whatever happens to the node happens to it. @returns when one or the other is certain.
   */
  async twice(node: number): Promise<void> {
    await this.#joined(node);
    const second = await this.#started(node, this.folder, this.#running[node]);
    const end = second.closed.then(async (ended) => {
      if (ended.code === 75) await this.#exclusively(node, async () => this.#look(node));
      else if (!mayEnd(ended) && !isRefused(ended))
        this.fault(`a second process for node ${node}`, ended);
    });
    await Promise.race([end, this.#until(() => second.hasJoined())]);
  }

  /** A process for a node in a folder that is not the node's: it is refused, whoever has the slot. */
  async stranger(node: number, folder: string): Promise<void> {
    const { child, closed } = await this.#started(node, folder, new Set());
    // Once the crawl has ended its place is free: the process would wait for a new crawl.
    void this.ended.then(() => { child.kill('SIGKILL'); });
    const ended = await closed;
    if (ended.code !== 2 && !this.isOver()) this.fault(`a process for node ${node} in another folder`, ended);
  }

  /** Ends all processes. */
  kills(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  fault(who: string, { code, signal, said }: Ended): void {
    this.faults.push(`${who} ended with ${code ?? signal}: ${said}`);
    this.#hasFailed();
    this.kills();
  }

  async #supervise(node: number): Promise<void> {
    while (this.faults.length === 0) {
      const { closed } = await this.#started(node, this.folder, this.#running[node]);
      const ended = await closed;
      if (ended.code === 0) return;
      if (ended.code === 75) await this.#exclusively(node, async () => this.#look(node));
      // Whoever supervises nodes tries again while Redis is away, and while another process is the node.
      else if (isRefused(ended) || isWithoutRedis(ended)) await sleep(200);
      else if (!mayEnd(ended)) this.fault(`node ${node}`, ended);
    }
  }

  async #started(node: number, folder: string, among: Set<Running>): Promise<Running> {
    return this.#exclusively(node, async () => {
      const child = spawn(process.execPath, [
        mainFile, 'crawl', ...this.#args, '--node', String(node), '--out', folder, '--or-resume',
      ], { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      let hasJoined = false;
      child.stderr.setEncoding('utf8').on('data', (more: string) => {
        said = (said + more).slice(-4000);
        hasJoined ||= said.includes('nodes are there');
      });
      const closed = (once(child, 'close') as Promise<[number | null, string | null]>).then(([code, signal]) => {
        among.delete(running);
        this.#children.delete(child);
        return { code, signal, said };
      });
      const running: Running = { child, hasJoined: () => hasJoined, closed };
      among.add(running);
      this.#children.add(child);
      if (this.faults.length > 0) this.kills();
      return Promise.resolve(running);
    });
  }

  /** One thing at a time with the folder of a node. */
  async #exclusively<T>(node: number, work: () => Promise<T>): Promise<T> {
    const done = this.#alone[node].then(work);
    this.#alone[node] = done.catch(() => undefined);
    return done;
  }

  /** Waits until a process takes part as this node. */
  async #joined(node: number): Promise<void> {
    await this.#until(() => [...this.#running[node]].some(({ hasJoined }) => hasJoined()));
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.isOver()) await sleep(5);
  }
}

/** By itself, killed, or asked to. */
function mayEnd({ code, signal }: Ended): boolean {
  return code === 0 || code === 130 || signal === 'SIGKILL' || signal === 'SIGTERM';
}

/** Another process has the folder, or the slot. */
function isRefused({ code, said }: Ended): boolean {
  return code === 2 && /is being written by process|is held by another process/.test(said);
}

function isWithoutRedis({ code, said }: Ended): boolean {
  return code === 3 && said.includes('cannot be reached within');
}
