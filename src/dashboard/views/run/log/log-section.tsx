import { useState } from 'preact/hooks';
import { Log } from './log.tsx';

interface Given {
  readonly id: string;
  readonly processors: number;
  readonly isOver: boolean;
}

/** The log of all processors together, or of one that the reader names. */
export function LogSection({ id, processors, isOver }: Given) {
  const [processor, setProcessor] = useState<number | null>(null);
  const take = (value: number): void =>
    setProcessor(Number.isInteger(value) && value >= 0 && value < processors ? value : null);
  return (
    <section aria-labelledby="log">
      <div class="section-head">
        <h2 id="log">Log</h2>
        {processors > 1 && (
          <label class="search">
            <span>Processor</span>
            <input
              type="number" min={0} max={processors - 1} placeholder="all"
              onInput={(event) => take(event.currentTarget.valueAsNumber)}
            />
          </label>
        )}
      </div>
      <p class="note">How each download ended, the newest first.</p>
      <Log id={id} processor={processor} isOver={isOver} limit={25} />
    </section>
  );
}
