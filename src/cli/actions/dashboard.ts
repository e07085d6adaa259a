import { spawn } from 'node:child_process';
import * as z from 'zod';
import { DashboardServer } from '../../views/service/index.ts';
import { runMaker } from '../answers/run-maker.ts';
import { pagesOpener } from '../answers/run-pages.ts';
import { endSignal, listenAddress } from '../serving.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { printReady } from '../text/output.ts';

const openers: Readonly<Partial<Record<string, readonly [string, ...string[]]>>> = {
  darwin: ['open'], win32: ['cmd', '/c', 'start', ''],
};

const own = z.object({ port: z.int().min(0).max(65_535).optional() });

interface Flags extends RawFlags {
  readonly listen?: string;
  readonly open?: boolean;
  readonly json?: true;
}

export async function runDashboard(folders: readonly string[], flags: Flags): Promise<void> {
  const { port } = ownFlags(own, flags);
  const address = listenAddress(flags.listen, 'the dashboard, if they have its token');
  const ended = endSignal();
  const roots = folders.length === 0 ? ['runs', 'crawls'] : folders;
  const server = await DashboardServer.listen({
    address, port, folders: roots, maker: runMaker(roots[0]), openPages: pagesOpener(),
    program: [process.execPath, ...process.execArgv, process.argv[1]],
  });
  printReady(flags.json, { url: server.url }, [`dashboard: ${server.url}`, 'Ctrl-C ends it; runs go on.']);
  if (flags.json !== true && flags.open !== false) openBrowser(server.url);
  await ended;
  await server.close();
}

/** If nothing opens it, the user still has the URL. */
function openBrowser(url: string): void {
  const [command, ...leading] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...leading, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}
