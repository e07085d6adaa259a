import type { Command } from 'commander';
import { later } from '../flags/words.ts';

export function add(program: Command): void {
  program
    .command('dashboard')
    .description(
      'Set up, watch and steer simulations and live crawls in a browser. Runs are processes of their own: they go on without it.',
    )
    .argument('[runs...]', 'folders with run records; the first is where new runs are stored (default: runs, crawls)')
    .option('--port <N>', 'port to listen on (default: a free one)')
    .option('--listen <ADDRESS>', 'address of this machine to listen on (default: 127.0.0.1)')
    .option('--no-open', 'do not open a browser')
    .option('--json', 'print one line of JSON, {url}, when ready; opens no browser')
    .addHelpText('after', `
Prints a URL and serves until SIGINT or SIGTERM. The URL contains a token, because other users of this machine reach loopback
too: do not pass it on. Runs that were started elsewhere with --watch are shown as well.

Examples:
  orbweaver dashboard
  orbweaver dashboard runs crawls/example --port 8080 --no-open
  orbweaver simulate docs-web --out runs/docs --watch`)
    .action(later(async () => (await import('../actions/dashboard.ts')).runDashboard));
}
