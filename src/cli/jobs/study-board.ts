import { cellFigures, StudyCells, withInterval, type Study, type StudyProgress } from '../../questions/study/index.ts';
import { maxCandidates, type JobBoard, type Measure } from '../../views/watch/index.ts';
import { counted } from '../text/figures.ts';

export class StudyBoard {
  readonly #cells: StudyCells;
  #answer: string | undefined;

  constructor(study: Study) {
    this.#cells = new StudyCells(study);
  }

  hear({ ended }: Pick<StudyProgress, 'ended'>): void {
    if (ended !== undefined) this.#cells.add(ended);
  }

  finish(answer: string): void {
    this.#answer = answer;
  }

  readonly board = (): JobBoard => {
    const cells = this.#cells.list();
    const listed = cells.slice(0, maxCandidates);
    const [best] = cells;
    const hasBest = cells.length > 0 && !best.isOracle;
    return {
      noun: 'cell', measures, unlisted: cells.length - listed.length,
      candidates: listed.map(({ name, isOracle, runs, means }, i) => ({
        name: isOracle ? `${name} (knows the ranks beforehand)` : name, at: null, runs, estimates: means,
        standing: hasBest && i === 0 ? 'best' : 'in',
      })),
      answer: this.#answer ?? (hasBest && best.means[0] !== null
        ? `The best so far, per page: ${best.name}, PageRank area ${withInterval(best.means[0], 3)} ` +
          `over ${counted(best.runs, 'run')}.`
        : null),
    };
  };
}

const measures: readonly Measure[] = cellFigures.map(({ name, title, better }) => ({
  name: name === 'virtualSeconds' ? 'virtual time' : title, better, limit: null,
  form: name === 'virtualSeconds' ? 'seconds' : name === 'rankGathered' ? 'share' : 'number',
}));
