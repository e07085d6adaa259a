import { useEffect, useState } from 'preact/hooks';
import { number } from '../../../report/page/format.ts';
import type { CrawlGraph } from '../../../service/dashboard/graph/api.ts';
import { sentenceOf } from './picture/picture.ts';

const PLAY_MS = 120;

interface Given {
  readonly graph: CrawlGraph;
  /** Position in the graph's supersteps. */
  readonly at: number;
  readonly isLast: boolean;
  /** Null: the last one. */
  readonly setMoment: (at: number | null) => void;
}

/** The superstep that is shown: moved by hand, or played from the first to the last. */
export function Moment({ graph, at, isLast, setMoment }: Given) {
  const [isPlaying, setPlaying] = useState(false);
  const last = graph.supersteps.length - 1;
  const move = (to: number): void => setMoment(to >= last ? null : to);
  useEffect(() => {
    if (!isPlaying) return;
    if (at >= last) {
      setPlaying(false);
      return;
    }
    const next = setTimeout(() => move(at + 1), PLAY_MS);
    return () => clearTimeout(next);
  }, [isPlaying, at]);
  const play = (): void => {
    if (!isPlaying && at >= last) setMoment(0);
    setPlaying(!isPlaying);
  };
  return (
    <>
      {last > 0 && (
        <div class="moment">
          <button type="button" class="small" onClick={play}>{isPlaying ? 'Pause' : 'Play the growth'}</button>
          <label class="search">
            <span>Superstep</span>
            <input
              type="range" min={0} max={last} value={at} aria-valuetext={`superstep ${graph.supersteps[at]}`}
              onInput={(event) => { setPlaying(false); move(event.currentTarget.valueAsNumber); }}
            />
            <b>{number(graph.supersteps[at])}</b>
          </label>
          {!graph.isOver && (
            <span class="note">
              {isLast ? 'The picture follows the run.' : 'Move it to the end to follow the run.'}
            </span>
          )}
        </div>
      )}
      <p class="moment-said">{sentenceOf(graph, at)}</p>
    </>
  );
}
