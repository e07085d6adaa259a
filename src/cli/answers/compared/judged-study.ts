import {
  agreementTable, checkStudySeeds, effectivenessColumns, effectivenessTable, indexPages, studyOrders,
  type RunsEffectiveness,
} from '../../../questions/compare/index.ts';
import type { PreparedGraph, WebGraph } from '../../../graphs/graph/index.ts';
import type { ShownPart } from '../../../views/report/index.ts';
import { judgedShares } from '../../../search/judge/index.ts';
import {
  resultColumns, resultsCsv, studyDocument, type Analysis, type ResultColumn, type Study, type StudyResult,
} from '../../../questions/study/index.ts';
import { stopListening } from '../../interrupt.ts';
import { bestServed, searchersPart } from '../../text/findings/compared/effectiveness-shown.ts';
import { shownEffectiveness, withIndex, type Judging } from './effectiveness.ts';

/** A study that is finished, analysed, and judged where an index was named. */
export interface JudgedStudy {
  readonly result: StudyResult;
  readonly analysis: Analysis;
  readonly effectiveness: RunsEffectiveness | undefined;
  readonly judging: Judging | undefined;
}

/** Checked before hours of runs. @throws InputError for a study that cannot be judged. */
export async function checkJudging({ path }: Judging, study: Study, graph: WebGraph): Promise<void> {
  checkStudySeeds(study);
  await withIndex(path, (index) => indexPages(path, index, graph));
}

/** The study with how well searchers are served by each of its combinations; without, where it was interrupted. */
export async function judgedStudy(
  judging: Judging | undefined, graph: PreparedGraph, result: StudyResult, analysis: Analysis,
): Promise<JudgedStudy> {
  const unjudged = { result, analysis, judging, effectiveness: undefined };
  if (judging === undefined || result.outcomes.length < result.runs) return unjudged;
  // It cannot be ended in the middle, and the runs are in the cache: signals end the process.
  stopListening();
  const { path, ...options } = judging;
  const effectiveness = await withIndex(path, (index) =>
    shownEffectiveness(studyOrders(result, analysis), graph, { path, index }, options));
  return { ...unjudged, effectiveness };
}

export function judgedColumns({ result, analysis, effectiveness }: JudgedStudy): ResultColumn[] {
  return [
    ...resultColumns(result),
    ...(effectiveness === undefined ? [] : effectivenessColumns(result, analysis, effectiveness)),
  ];
}

export function judgedDocument({ result, analysis, effectiveness }: JudgedStudy): object {
  return {
    ...studyDocument(result, analysis),
    ...(effectiveness && { effectiveness: { ...effectiveness, shares: judgedShares } }),
  };
}

/** The content of `effectiveness.csv` and `agreement.csv`; nothing for runs that were not judged. */
export function judgedTables(effectiveness: RunsEffectiveness | undefined): [name: string, text: string][] {
  return effectiveness === undefined ? [] : [
    ['effectiveness.csv', resultsCsv(effectivenessTable(effectiveness))],
    ['agreement.csv', resultsCsv(agreementTable(effectiveness))],
  ];
}

/** The parts of a study; where it was judged, the answer is about searchers too, and their part follows it. */
export function judgedParts(
  [answer, ...others]: readonly ShownPart[], { effectiveness, judging }: JudgedStudy,
): ShownPart[] {
  if (effectiveness === undefined) return [answer, ...others];
  const { shown } = answer;
  const [aboutRank, ...remarks] = shown.paragraphs;
  return [
    { ...answer, shown: { ...shown, paragraphs: [aboutRank, ...bestServed(effectiveness), ...remarks] } },
    searchersPart(effectiveness, judging?.path),
    ...others,
  ];
}
