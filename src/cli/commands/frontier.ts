import { Option, type Command } from 'commander';
import { later } from '../flags/words.ts';

const actions = () => import('../actions/frontier.ts');

export function add(program: Command): void {
  const frontier = program.command('frontier').addHelpText('after', `
For any server that speaks URLFrontier; orbweaver serve frontier starts one.

Examples:
  orbweaver frontier put seeds.txt
  orbweaver frontier get --urls 5 --json
  orbweaver frontier stats --crawl news --key example.com
  orbweaver frontier list --size 100000 --json > dump.jsonl && orbweaver frontier put dump.jsonl --at 127.0.0.1:7072
  orbweaver frontier block example.com 3600`);
  const add = (name: string, description: string): Command => frontier
    .command(name)
    .description(description)
    .addOption(new Option('--at <HOST:PORT>', 'the server (default: 127.0.0.1:7071)').helpGroup('Server:'))
    .addOption(new Option('--token-file <FILE>', 'file with the token that it asks for').helpGroup('Server:'))
    .addOption(new Option('--tls-ca <FILE>', 'its certificate, PEM, to speak TLS').helpGroup('Server:'))
    .option('--crawl <ID>', 'crawl id (default: DEFAULT)');
  add('stats', 'Show how many URLs are active, leased and done.')
    .option('--key <KEY>', 'of one queue')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await actions()).runStats));
  add('queues', 'List the queues that have URLs to fetch and are not blocked.')
    .option('--all', 'list the others too')
    .option('--start <N>', 'position of the first (default: 0)')
    .option('--size <N>', 'how many (default: 100)')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await actions()).runQueues));
  add('list', 'List URLs, whatever their state.')
    .option('--key <KEY>', 'of one queue')
    .option('--filter <TEXT>', 'only URLs that contain this text')
    .option('--start <N>', 'position of the first (default: 0)')
    .option('--size <N>', 'how many (default: 100)')
    .option('--json', 'print items, one line of JSON each, as put takes them')
    .action(later(async () => (await actions()).runList));
  add('get', 'Take URLs that are due, under a lease.')
    .option('--key <KEY>', 'from one queue')
    .option('--urls <N>', 'URLs per queue at most; 0: no maximum (default: 1)')
    .option('--queues <N>', 'queues at most; 0: no maximum (default: 0)')
    .option('--lease <SECONDS>', 'length of the lease, whole seconds (default: 30)')
    .option('--json', 'print one line of JSON per URL')
    .action(later(async () => (await actions()).runGet));
  add('put', 'Put URLs: one per line, as discovered, or items as list --json prints them.')
    .argument('<file>', 'file, or - for standard input')
    .option('--json', 'print one JSON document')
    .action(later(async () => (await actions()).runPut));
  add('block', 'Block a queue for some time; 0 unblocks it.')
    .argument('<key>', 'key of the queue').argument('<seconds>', 'from now on')
    .action(later(async () => (await actions()).runBlock));
  add('delay', 'Set the delay of a queue between hand-outs.')
    .argument('<key>', "key of the queue; '' for those without a delay of their own")
    .argument('<seconds>', 'whole seconds')
    .action(later(async () => (await actions()).runDelay));
  add('limit', 'Stop a queue when so many of its URLs are done.')
    .argument('<key>', 'key of the queue').argument('<urls>', 'how many; 0: no limit')
    .action(later(async () => (await actions()).runLimit));
  add('delete', 'Delete a queue, or a whole crawl, with its URLs.')
    .option('--key <KEY>', 'the queue')
    .option('--whole-crawl', 'the crawl')
    .action(later(async () => (await actions()).runDelete));
  add('active', 'Show whether the frontier hands out URLs, or set it.')
    .argument('[state]', 'on or off')
    .action(later(async () => (await actions()).runActive));
}
