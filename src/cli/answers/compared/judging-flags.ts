import { Option, type Command } from 'commander';
import { rankingNames } from '../../help/lists.ts';

export interface JudgingFlags {
  readonly index?: string;
  readonly ranking?: string;
  readonly querySeed?: string;
  readonly maxQueries?: string;
  readonly fetchedRanks?: true;
}

/** Flags that need `--index`. */
export const judgingFlags = ['ranking', 'querySeed', 'maxQueries', 'fetchedRanks'] as const;

/** The flags as they were typed, for the command that makes the same. */
export function judgingWords({ index, ranking, maxQueries, querySeed, fetchedRanks }: JudgingFlags): string[] {
  const valued = { '--index': index, '--ranking': ranking, '--max-queries': maxQueries, '--query-seed': querySeed };
  return [
    ...Object.entries(valued).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    ...(fetchedRanks === true ? ['--fetched-ranks'] : []),
  ];
}

/** Adds the flags by which an index judges runs. @param index what it is of, and what it shows. */
export function addJudgingFlags(command: Command, index: string): Command {
  const flags: readonly (readonly [flags: string, text: string])[] = [
    ['--index <NAME.index>', index],
    ['--ranking <NAME>', `what searches the index: ${rankingNames.join(', ')} (default: bm25f)`],
    ['--max-queries <N>', 'queries to draw for each set; half of them judge (default: 2000)'],
    ['--query-seed <N>', 'seed by which queries are drawn (default: 1)'],
    ['--fetched-ranks', 'search by the PageRank of the pages fetched so far, not by that of the full crawl'],
  ];
  for (const [flag, text] of flags)
    command.addOption(new Option(flag, text).helpGroup('How well searchers are served:'));
  return command;
}
