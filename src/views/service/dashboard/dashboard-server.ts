import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Access, type Listening } from '../access.ts';
import { addRoutes } from './routes.ts';
import { CrawlGraphs } from './graph/crawl-graphs.ts';
import type { RunMaker } from './runs/run-maker.ts';
import { RunStarter } from './runs/run-starter.ts';
import { Runs } from './runs/runs.ts';
import { EventStreams } from './events/event-streams.ts';
import { Logs } from './logs/logs.ts';
import type { PagesOpener } from './timeline/run-pages.ts';
import { Timelines } from './timeline/timelines.ts';

/** The page as bundled. */
const page = fileURLToPath(new URL('../../dashboard/', import.meta.url));
/** A settings file has a few kilobytes; a list of seeds, more. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export interface DashboardOptions extends Listening {
  /** Folders that are searched for records. */
  readonly folders: readonly string[];
  readonly maker: RunMaker;
  readonly openPages: PagesOpener;
  /** The paths of Node and of Orbweaver, which start a run. */
  readonly program: readonly string[];
}

/** The dashboard over HTTP. Runs are other processes: it joins them, and they go on without it. */
export class DashboardServer {
  /** To open: with the token. */
  readonly url: string;
  readonly #app: FastifyInstance;
  readonly #streams: EventStreams;

  /** @throws InputError if the port is not free. */
  static async listen(options: DashboardOptions): Promise<DashboardServer> {
    const { folders, maker, openPages, program } = options;
    const access = new Access({
      what: 'the dashboard', command: 'orbweaver dashboard', namesFields: true, formAction: "'none'",
    });
    const app = access.app({ bodyLimit: MAX_BODY_BYTES });
    const starter = new RunStarter(program);
    const runs = new Runs(folders, starter);
    const streams = new EventStreams(runs);
    addRoutes(app, {
      runs, starter, maker, streams, timelines: new Timelines(openPages), logs: new Logs(openPages),
      graphs: new CrawlGraphs(openPages),
    });
    await app.register(fastifyStatic, { root: page, cacheControl: false, dotfiles: 'ignore' });
    return new DashboardServer(app, streams, await access.open(app, options));
  }

  private constructor(app: FastifyInstance, streams: EventStreams, url: string) {
    this.#app = app;
    this.#streams = streams;
    this.url = url;
  }

  /** Open connections are cut; runs go on. */
  async close(): Promise<void> {
    this.#streams.close();
    await this.#app.close();
  }
}
