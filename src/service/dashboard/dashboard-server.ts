import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { InputError } from '../../base/index.ts';
import { Access } from '../access.ts';
import { authority, refusal } from '../listen.ts';
import { addRoutes, type ApiErrorStatus } from './routes.ts';
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

export interface DashboardOptions {
  /** Where records are looked for. */
  readonly folders: readonly string[];
  readonly maker: RunMaker;
  readonly openPages: PagesOpener;
  /** What runs Orbweaver: the path of Node, and that of the program. */
  readonly program: readonly string[];
  /** 127.0.0.1 unless the user asks for another. */
  readonly address?: string | undefined;
  /** 0: a free one. */
  readonly port?: number | undefined;
}

/** The dashboard over HTTP. Runs are other processes: it joins them, and they go on without it. */
export class DashboardServer {
  /** To open: with the token. */
  readonly url: string;
  readonly #app: FastifyInstance;
  readonly #streams: EventStreams;

  /** @throws InputError if the port is not free. */
  static async listen(options: DashboardOptions): Promise<DashboardServer> {
    const { folders, maker, openPages, program, address = '127.0.0.1', port = 0 } = options;
    const app = fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true });
    const access = new Access({ what: 'the dashboard', command: 'orbweaver dashboard', formAction: "'none'" });
    access.guard(app);
    app.setErrorHandler(async (error: FastifyError, _request, reply) => {
      const { status, body } = answerTo(error);
      return reply.code(status).send(body);
    });
    app.setNotFoundHandler(async ({ method, url }, reply) =>
      reply.code(404).send({ error: `there is no ${method} ${url}` }));
    const starter = new RunStarter(program);
    const runs = new Runs(folders, starter);
    const streams = new EventStreams(runs);
    addRoutes(app, {
      runs, starter, maker, streams, timelines: new Timelines(openPages), logs: new Logs(openPages),
      graphs: new CrawlGraphs(openPages),
    });
    await app.register(fastifyStatic, { root: page, cacheControl: false, dotfiles: 'ignore' });
    try {
      await app.listen({ host: address, port });
    } catch (error) {
      await app.close();
      throw new InputError(`${authority(address, port)}: ${refusal(error as NodeJS.ErrnoException)}`);
    }
    const { port: own } = app.server.address() as AddressInfo;
    access.listensAt([address, 'localhost', '127.0.0.1', '::1'].map((host) => authority(host, own)));
    return new DashboardServer(app, streams, `http://${authority(address, own)}/?token=${access.token}`);
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

function answerTo(error: FastifyError): ApiErrorStatus {
  if (error instanceof InputError) return { status: 400, body: { error: error.message, field: error.field } };
  const status = error.statusCode ?? 500;
  return { status, body: { error: status < 500 ? error.message : `the dashboard failed: ${error.message}` } };
}
