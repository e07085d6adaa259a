import { statisticsOf, type RunFacts } from '../../run/facts.ts';
import type { RunData } from '../../run/run-data.ts';
import { Degrees } from './degrees.tsx';

interface Given {
  readonly id: string;
  readonly facts: RunFacts;
  readonly data: RunData;
  readonly isOver: boolean;
}

export function Statistics({ id, facts, data, isOver }: Given) {
  return (
    <section aria-labelledby="statistics">
      <h2 id="statistics">Statistics of the crawl</h2>
      <dl class="facts">
        {statisticsOf(facts, data, isOver).map(({ name, value, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b class={value === 'absent' ? 'nothing' : ''}>{value}</b>{note !== undefined && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <Degrees id={id} facts={facts} isOver={isOver} />
    </section>
  );
}
