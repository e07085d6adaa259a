import { Component } from 'preact';
import { duration, number } from '../../../report/page/format.ts';
import type { FeedLine, ProcessorState } from '../../../watch/contract.ts';
import { Robots } from '../../parts/robots.tsx';
import { Problem } from '../../parts/words.tsx';
import { bytesText, outcomeWords } from '../../run/words.ts';
import { asked } from './asked.ts';
import { FeedLines } from './feed.tsx';

interface Given {
  readonly id: string;
  readonly processor: ProcessorState;
  readonly isOpen: boolean;
  readonly toggle: (processor: number) => void;
  readonly feed: readonly FeedLine[];
  readonly canSteer: boolean;
  readonly sliderMax: number;
}

/** A processor; opened, also its downloads, its robots and its part of the feed. Drawn only when it has changed. */
export class ProcessorRow extends Component<Given, { readonly problem: string }> {
  override state = { problem: '' };

  override shouldComponentUpdate(next: Given, { problem }: { readonly problem: string }): boolean {
    const { processor: now, isOpen } = this.props;
    const { processor: then } = next;
    return isOpen || next.isOpen || problem !== this.state.problem || now.fetched !== then.fetched
      || now.failures !== then.failures || now.bytes !== then.bytes || now.queued !== then.queued
      || now.pending !== then.pending || now.openCount !== then.openCount || now.robots !== then.robots
      || now.lastOutcome?.at !== then.lastOutcome?.at || now.open[0]?.name !== then.open[0]?.name
      || Math.floor(now.open[0]?.seconds ?? 0) !== Math.floor(then.open[0]?.seconds ?? 0);
  }

  override render({ processor: one, isOpen, toggle, feed, canSteer, sliderMax: top, id }: Given) {
    const { processor, openCount, robots, open, lastOutcome } = one;
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
          <td class="figure">{number(openCount)} of {number(robots)}</td>
          <td class="name">{open.length === 0 ? <i class="nothing">nothing</i> : <Download {...open[0]} />}</td>
          <td class="name">
            {lastOutcome !== null && <><small>{outcomeWords(lastOutcome.kind)}</small> <bdi>{lastOutcome.name}</bdi></>}
          </td>
          <td class="figure">{number(one.queued)}</td><td class="figure">{number(one.pending)}</td>
          <td class="figure">{number(one.fetched)}</td><td class="figure">{number(one.failures)}</td>
          <td class="figure">{bytesText(one.bytes)}</td>
        </tr>
        {isOpen && (
          <tr id={details} class="details">
            <td colSpan={9}>
              {canSteer && (
                <p>
                  Robots <Robots label={`Robots of processor ${processor}`} robots={robots} sliderMax={top} set={set} />
                </p>
              )}
              {this.state.problem !== '' && <Problem text={this.state.problem} />}
              <Details processor={one} feed={feed} />
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

function Details({ processor: one, feed }: Pick<Given, 'processor' | 'feed'>) {
  const lines = feed.filter(({ processor }) => processor === one.processor).reverse().slice(0, 20);
  return (
    <div class="columns">
      <div>
        <h3>Downloads in progress</h3>
        {one.open.length === 0 ? <p class="nothing">None.</p> : (
          <ul class="downloads">
            {one.open.map((download) => <li key={download.name}><Download {...download} /></li>)}
            {one.openCount > one.open.length && (
              <li class="nothing">and {number(one.openCount - one.open.length)} more</li>
            )}
          </ul>
        )}
        <p class="note">{number(one.known)} pages known to this processor.</p>
      </div>
      <div>
        <h3>What happened here</h3>
        {lines.length === 0 ? <p class="nothing">Nothing yet.</p> : <FeedLines lines={lines} />}
      </div>
    </div>
  );
}
