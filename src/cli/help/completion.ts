import type { Command } from 'commander';
import { catalogue } from '../../graphs/catalogue/index.ts';
import { allWords, wordsOf, type CommandWords, type ValueKind } from './words.ts';

/** The script by which a shell completes the command line of `program`. zsh runs the script of bash. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const all = allWords(wordsOf(program));
  if (shell === 'fish') return fishScript(all);
  return shell === 'bash' ? bashScript(all) : [...zshStart, bashScript(all)].join('\n');
}

const zshStart = [
  '#compdef orbweaver', 'autoload -U +X compinit && compinit', 'autoload -U +X bashcompinit && bashcompinit',
];

const graphs = catalogue.map(({ name }) => name).join(' ');
/** Graphs that were fetched, when the shell asks. */
const fetched = '$(ls "${ORBWEAVER_DATASETS:-${XDG_CACHE_HOME:-$HOME/.cache}/orbweaver/datasets}" 2>/dev/null)';

function bashScript(all: readonly CommandWords[]): string {
  const values = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, value }) => (value === undefined ? [] : [[`${path} --${name}`, value] as const])));
  // One line for all flags of the same values.
  const lines = new Map<string, string[]>();
  for (const [words, value] of values) {
    const line = bashValues(value);
    lines.set(line, [...(lines.get(line) ?? []), `'${words}'`]);
  }
  return `# Completion of orbweaver for bash.
_orbweaver() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" kind="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
      ${all.slice(1).map(({ path }) => `'${pathBefore(path)} ${lastWord(path)}'`).join('|')})
        path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${[...lines].map(([line, flags]) => `    ${flags.join('|')}) ${line} ;;`).join('\n')}
    *)
      if [[ $cur == -* ]]; then
        case "$path" in
${all.map((words) => `          '${words.path}') ${bashFlags(words)} ;;`).join('\n')}
        esac
      else
        case "$path" in
${all.map((words) => `          '${words.path}') ${bashArgument(words)} ;;`).join('\n')}
        esac
      fi ;;
  esac
  case "$kind" in
    folder) COMPREPLY=($(compgen -d -- "$cur")) ;;
    file) COMPREPLY=($(compgen -f -- "$cur")) ;;
    graph) COMPREPLY=($(compgen -W "${graphs} ${fetched}" -- "$cur") $(compgen -f -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o filenames -F _orbweaver orbweaver`;
}

function bashValues(value: ValueKind): string {
  return typeof value === 'string' ? `kind=${value}` : `words="${value.join(' ')}"`;
}

function bashFlags({ flags }: CommandWords): string {
  return bashValues(flags.map(({ name }) => `--${name}`));
}

function bashArgument({ commands, argument }: CommandWords): string {
  const names = commands.map(({ path }) => lastWord(path));
  return commands.length > 0 ? bashValues(names) : bashValues(argument ?? 'any');
}

function fishScript(all: readonly CommandWords[]): string {
  const lines = ['# Completion of orbweaver for fish.', 'complete -c orbweaver -f'];
  for (const { path, commands, flags, argument } of all) {
    const here = fishCondition(path, commands.map((inner) => lastWord(inner.path)));
    for (const inner of commands)
      lines.push(`complete -c orbweaver -n ${here} -a ${lastWord(inner.path)} -d ${quote(brief(inner.text))}`);
    for (const { name, text, value } of flags) {
      const argument = value === undefined ? '' : ` -r ${fishValues(value)}`;
      lines.push(`complete -c orbweaver -n ${here} -l ${name} -d ${quote(brief(text))}${argument}`);
    }
    if (commands.length === 0 && argument !== undefined)
      lines.push(`complete -c orbweaver -n ${here} ${fishValues(argument)}`);
  }
  return lines.join('\n');
}

/** After these words, and before any of the words that lead further. */
function fishCondition(path: string, further: readonly string[]): string {
  const conditions = path.split(' ').filter(Boolean).map((word) => `__fish_seen_subcommand_from ${word}`);
  const not = further.length === 0 ? [] : [`not __fish_seen_subcommand_from ${further.join(' ')}`];
  return quote([...conditions, ...not].join('; and ') || 'true');
}

function fishValues(value: ValueKind): string {
  if (value === 'any') return '';
  if (value === 'file' || value === 'folder') return '-F';
  return value === 'graph' ? `-F -a ${quote(`${graphs} (${fishFetched})`)}` : `-f -a ${quote(value.join(' '))}`;
}

const fishFetched = 'ls ~/.cache/orbweaver/datasets 2>/dev/null';

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (letter) => `\\${letter}`)}'`;
}

function brief(text: string): string {
  return text.replace(/\s+/g, ' ').split(/[;:(.]/)[0].trim();
}

function lastWord(path: string): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

function pathBefore(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(' ')));
}
