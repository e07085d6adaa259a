import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { number } from '../../../../report/page/format.ts';
import type { OpenedSuperstep } from '../../../../service/dashboard/timeline/api.ts';
import { useWidth } from '../../../parts/hooks.ts';
import { outcomeWords } from '../../../run/words.ts';
import {
  barsWithin, LANE, layoutOf, lengthText, MAX_BARS, moodOfOutcome, moved, zoomed, type Bar, type Layout, type Span,
} from './bars.ts';

const keys = [
  ['got', 'fetched'], ['late', 'timed out'], ['none', 'not found'], ['robots', 'robots.txt'],
  ['failed', 'other failures'], ['idle', 'no download: waits for a host, or for pages'],
  ['wait', 'waits at the barrier'],
] as const;

const help = 'Point at a download and drag to move; Ctrl and the wheel zoom. By keyboard: up and down for downloads, ' +
  'left and right to move, + and - to zoom.';

/** A superstep as a picture that can be zoomed, moved and read by keyboard. */
export function Timeline({ opened }: { readonly opened: OpenedSuperstep }) {
  const layout = useMemo(() => layoutOf(opened), [opened]);
  const whole = { fromUs: opened.beginUs, toUs: Math.max(opened.beginUs + 1, opened.barrierUs) };
  const [span, setSpan] = useState<Span>(whole);
  const [choice, setChosen] = useState<Bar | null>(null);
  useLayoutEffect(() => {
    setSpan(whole);
    setChosen(null);
  }, [opened]);
  const { shown, count } = useMemo(() => barsWithin(layout, span), [layout, span]);
  const zoom = (share: number) => (): void => setSpan(zoomed(span, whole, share));
  const step = (by: number): void => {
    const at = choice === null ? (by > 0 ? -1 : shown.length) : shown.indexOf(choice);
    setChosen(shown[Math.min(shown.length - 1, Math.max(0, at + by))] ?? null);
  };
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => setSpan(moved(span, whole, -0.2)), ArrowRight: () => setSpan(moved(span, whole, 0.2)),
    ArrowUp: () => step(-1), ArrowDown: () => step(1), '+': zoom(0.5), '=': zoom(0.5), '-': zoom(2),
    Home: () => setChosen(shown[0] ?? null), End: () => setChosen(shown.at(-1) ?? null), Escape: () => setChosen(null),
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  };
  return (
    <>
      <div class="buttons timeline-buttons">
        <button type="button" class="small" onClick={zoom(0.5)}>Zoom in</button>
        <button type="button" class="small" onClick={zoom(2)}>Zoom out</button>
        <button type="button" class="small" onClick={() => setSpan(whole)}>Show all</button>
        <span class="note">
          {lengthText(span.fromUs - whole.fromUs)} to {lengthText(span.toUs - whole.fromUs)} after its begin
        </span>
      </div>
      <ul class="key timeline-key">
        {keys.map(([mood, words]) => <li key={mood}><i class={mood} />{words}</li>)}
      </ul>
      <Picture
        layout={layout} shown={shown} span={span} whole={whole} chosen={choice} choose={setChosen} show={setSpan}
        press={press}
      />
      <p class="timeline-said" role="status">
        {choice === null ? help : <Said bar={choice} beginUs={opened.beginUs} />}
      </p>
      {count > MAX_BARS && (
        <p class="note">{number(count - MAX_BARS)} more downloads are not drawn here: zoom in to see them.</p>
      )}
    </>
  );
}

function Said({ bar: { download, processor }, beginUs }: { readonly bar: Bar; readonly beginUs: number }) {
  const { name, kind, lane, startedUs, finishedUs } = download;
  const when = `${lengthText(Math.abs(startedUs - beginUs))} ${startedUs < beginUs ? 'before' : 'after'}`;
  return (
    <>
      <bdi>{name}</bdi>: {outcomeWords(kind)}; began {when} the superstep began, took{' '}
      {lengthText(finishedUs - startedUs)}; {processor}, robot {lane}
    </>
  );
}

interface Drawn {
  readonly layout: Layout;
  readonly shown: readonly Bar[];
  readonly span: Span;
  readonly whole: Span;
  readonly chosen: Bar | null;
  readonly choose: (bar: Bar | null) => void;
  readonly show: (span: Span) => void;
  readonly press: (event: KeyboardEvent) => void;
}

function Picture({ layout, shown, span, whole, chosen, choose, show, press }: Drawn) {
  const within = useRef<HTMLDivElement>(null);
  const width = useWidth(within, 800, 100);
  useDragging(within, { span, whole, width, show });
  const bars = useMemo(() => <Bars {...{ layout, shown, span, width, choose }} />, [layout, shown, span, width]);
  const at = chosen === null ? -1 : shown.indexOf(chosen);
  return (
    <div class="timeline" ref={within}>
      <svg
        class="timeline-svg" width={width} height={layout.height} role="listbox" tabindex={0}
        aria-label="Downloads of the superstep" aria-activedescendant={at === -1 ? undefined : `download-${at}`}
        onKeyDown={press} onPointerLeave={() => choose(null)}
      >
        {bars}
        {at !== -1 && <Outline bar={shown[at]} span={span} width={width} />}
      </svg>
    </div>
  );
}

/** The picture itself, which is not drawn anew when another download is pointed at. */
function Bars({ layout: { rows }, shown, span, width, choose }: Pick<Drawn, 'layout' | 'shown' | 'span' | 'choose'> & {
  readonly width: number;
}) {
  const { fromUs, toUs } = span;
  const x = (us: number): number => Math.min(width, Math.max(0, width * (us - fromUs) / (toUs - fromUs)));
  return (
    <>
      {rows.map(({ name, top, lanes, arrivedUs }) => {
        const arrived = x(arrivedUs ?? span.fromUs);
        return (
          <g key={name} role="presentation">
            <text class="timeline-name" x={0} y={top - 4} aria-hidden="true">{name}</text>
            <rect class="idle" x={0} y={top} width={arrived} height={lanes * LANE} />
            <rect class="wait" x={arrived} y={top} width={width - arrived} height={lanes * LANE} />
          </g>
        );
      })}
      {shown.map((bar, i) => {
        const { download: { name, kind, startedUs, finishedUs }, top } = bar;
        const label = `${name}, ${outcomeWords(kind)}`;
        return (
          <rect
            key={i} id={`download-${i}`} role="option" aria-selected="false" aria-label={label}
            class={moodOfOutcome(kind)} x={x(startedUs)} y={top + 1} height={LANE - 2}
            width={Math.max(1, x(finishedUs) - x(startedUs) - 0.5)} onPointerEnter={() => choose(bar)}
          />
        );
      })}
    </>
  );
}

function Outline({ bar: { download, top }, span, width }: {
  readonly bar: Bar; readonly span: Span; readonly width: number;
}) {
  const x = (us: number): number => width * (us - span.fromUs) / (span.toUs - span.fromUs);
  const start = Math.max(0, x(download.startedUs));
  return (
    <rect
      class="outline" x={start} y={top} height={LANE}
      width={Math.max(2, Math.min(width, x(download.finishedUs)) - start)}
    />
  );
}

interface Dragged {
  readonly span: Span;
  readonly whole: Span;
  readonly width: number;
  readonly show: (span: Span) => void;
}

/** Moves the span with the pointer, and zooms it with Ctrl and the wheel. */
function useDragging(within: { readonly current: HTMLDivElement | null }, now: Dragged): void {
  const latest = useRef(now);
  latest.current = now;
  useEffect(() => {
    const element = within.current!;
    const move = (event: PointerEvent): void => {
      const { span, whole, width, show } = latest.current;
      if (event.buttons === 1 && event.movementX !== 0) show(moved(span, whole, -event.movementX / width));
    };
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { span, whole, width, show } = latest.current;
      const at = (event.clientX - element.getBoundingClientRect().left) / width;
      show(zoomed(span, whole, event.deltaY < 0 ? 0.8 : 1.25, at));
    };
    element.addEventListener('pointermove', move);
    // Preact's own listeners cannot prevent the browser from zooming the page.
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      element.removeEventListener('pointermove', move);
      element.removeEventListener('wheel', wheel);
    };
  }, []);
}
