import { Component } from 'preact';
import { counted, duration, number, percent } from '../../../../report/page/format.ts';
import type { ProcessorState } from '../../../../watch/contract.ts';
import { Robots } from '../../../parts/robots.tsx';
import { Problem } from '../../../parts/words.tsx';
import type { ShownProcessor } from '../../../run/shown-processors.ts';
import { bytesText, outcomeWords } from '../../../run/words.ts';
import { asked } from '../asked.ts';
import { Log } from '../log/log.tsx';

interface Given {
  readonly id: string;
  readonly processor: ShownProcessor;
  readonly isOpen: boolean;
  readonly toggle: (processor: number) => void;
  readonly canSteer: boolean;
  readonly isOver: boolean;
  readonly sliderMax: number;
}

/** A processor; opened, also its downloads, its robots and its log. Drawn only when it has changed. */
export class ProcessorRow extends Component<Given, { readonly problem: string }> {
  override state = { problem: '' };

  override shouldComponentUpdate(next: Given, { problem }: { readonly problem: string }): boolean {
    const { processor: now, isOpen } = this.props;
    const { processor: then } = next;
    return isOpen || next.isOpen || problem !== this.state.problem || this.props.isOver !== next.isOver
      || percent(now.balance) !== percent(then.balance) || now.fetched !== then.fetched
      || now.failures !== then.failures || now.bytes !== then.bytes || now.queued !== then.queued
      || now.pending !== then.pending || now.openCount !== then.openCount || now.robots !== then.robots
      || now.lastOutcome?.at !== then.lastOutcome?.at || now.open[0]?.name !== then.open[0]?.name
      || Math.floor(now.open[0]?.seconds ?? 0) !== Math.floor(then.open[0]?.seconds ?? 0);
  }

  override render({ processor: state, isOpen, toggle, canSteer, isOver, sliderMax: top, id }: Given) {
    const { processor, openCount, robots, open, lastOutcome, updatedAt } = state;
    const details = `processor-${processor}`;
    const set = async (count: number): Promise<void> =>
      this.setState({ problem: await asked(id, { do: 'robots', robots: count, processor }) });
    return (
      <>
        <tr>
          <th scope="row">
            <button
              type="button" class="fold" aria-expanded={isOpen} aria-controls={isOpen ? details : undefined}
              aria-label={`Processor ${number(processor)}, details`} onClick={() => toggle(processor)}
            >
              {number(processor)}
            </button>
          </th>
          {isOver ? <td class="figure">{number(robots)}</td> : (
            <>
              <td class="figure">{number(openCount)} of {number(robots)}</td>
              <td class="name">{open.length === 0 ? <i class="nothing">nothing</i> : <Download {...open[0]} />}</td>
              <td class="name">
                {lastOutcome !== null && (
                  <><small>{outcomeWords(lastOutcome.kind)}</small> <bdi>{lastOutcome.name}</bdi></>
                )}
              </td>
            </>
          )}
          <td class="figure">{updatedAt === null ? <i class="nothing">never</i> : duration(updatedAt)}</td>
          <td class="figure">{number(state.queued)}</td><td class="figure">{number(state.pending)}</td>
          <td class="figure">{number(state.fetched)}</td>
          <td class="figure">{state.balance === null ? '' : percent(state.balance)}</td>
          <td class="figure">{number(state.failures)}</td><td class="figure">{bytesText(state.bytes)}</td>
        </tr>
        {isOpen && (
          <tr id={details} class="details">
            <td colSpan={isOver ? 9 : 11}>
              {canSteer && (
                <p>
                  Robots <Robots label={`Robots of processor ${processor}`} robots={robots} sliderMax={top} set={set} />
                </p>
              )}
              {this.state.problem !== '' && <Problem text={this.state.problem} />}
              {!isOver && <Downloads processor={state} />}
              <h3>Log</h3>
              <Log id={id} processor={processor} isOver={isOver} limit={15} />
            </td>
          </tr>
        )}
      </>
    );
  }
}

function Download({ name, seconds }: ProcessorState['open'][number]) {
  return <><small>{duration(seconds)}</small> <bdi>{name}</bdi></>;
}

function Downloads({ processor: state }: Pick<Given, 'processor'>) {
  const idle = state.robots - state.openCount;
  return (
    <>
      <h3>Robots at work</h3>
      {state.open.length > 0 && (
        <ul class="downloads">
          {state.open.map((download) => <li key={download.name}><Download {...download} /></li>)}
          {state.openCount > state.open.length && (
            <li class="nothing">and {number(state.openCount - state.open.length)} more</li>
          )}
        </ul>
      )}
      <p class="note">
        {idle > 0 && `${counted(idle, 'robot')} without a download. `}
        {state.known !== null && `${counted(state.known, 'page')} known to this processor.`}
      </p>
    </>
  );
}
