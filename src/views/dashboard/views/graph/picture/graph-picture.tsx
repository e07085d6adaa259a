import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { number } from '../../../../report/page/format.ts';
import type { CrawlGraph } from '../../../../service/dashboard/graph/api.ts';
import { saved } from '../../../../report/page/saved.ts';
import { Save } from '../../../parts/save.tsx';
import { COLOURS, printed, processorColour, type Theme } from './colours.ts';
import type { Drawing } from './drawing.ts';
import { graphSvg } from './graph-svg.ts';
import { linksCsv, nodesCsv } from '../node-rows.ts';
import { pictureOf, sentenceOf, type Look } from './picture.ts';
import type { Places } from './places.ts';
import { useTheme } from './use-theme.ts';

interface Given {
  /** The id of the run: names of files begin with it. */
  readonly id: string;
  readonly title: string;
  readonly graph: CrawlGraph;
  readonly places: Places | null;
  readonly look: Look;
  readonly point: (id: number | null) => void;
  readonly choose: (id: number) => void;
}

/** The graph as a picture, with its key, and files to take away. */
export function GraphPicture({ id, title, graph, places, look, point, choose }: Given) {
  const theme = useTheme();
  const within = useRef<HTMLDivElement>(null);
  const hasWebGl = useMemo(canDraw, []);
  const { drawing, problem } = useDrawing(within, hasWebGl && places !== null, theme, { point, choose });
  const sentence = sentenceOf(graph, look.at);
  useEffect(() => {
    if (drawing !== null && places !== null) drawing.show(pictureOf(graph, places, theme, look), theme);
  }, [drawing, graph, places, theme, look]);
  const svg = (): string => graphSvg({
    title, sentence, processors: graph.processors,
    picture: pictureOf(graph, places ?? new Map(), printed, { ...look, chosen: null }),
  });
  const png = async (): Promise<void> => {
    const image = await drawing?.png();
    if (image) saved(`${id}-graph.png`, 'image/png', image);
  };
  return (
    <figure class="chart graph-figure">
      <div class="chart-head">
        <span class="buttons">
          {(['in', 'out', 'all'] as const).map((by) => (
            <button key={by} type="button" class="small" disabled={drawing === null} onClick={() => drawing?.zoom(by)}>
              {{ in: 'Zoom in', out: 'Zoom out', all: 'Show all' }[by]}
            </button>
          ))}
        </span>
        <span class="saves">
          <Save
            label="SVG of the graph" name={`${id}-graph`} kind="svg" isPossible={places !== null} content={svg}
          />
          <button
            type="button" class="small" aria-label="PNG of the graph" disabled={drawing === null}
            onClick={() => void png()}
          >PNG</button>
          <Save
            label={`CSV of the ${graph.nodesAre}`} name={`${id}-${graph.nodesAre}`} kind="csv"
            content={() => nodesCsv(graph, look.at)}
          />
          <Save
            words="CSV of links" name={`${id}-links`} kind="csv" isPossible={graph.links.length > 0}
            content={() => linksCsv(graph, look.at)}
          />
        </span>
      </div>
      <div
        class={`canvas${hasWebGl ? '' : ' still'}`} ref={within} role="img" aria-label={`${title}: ${sentence}`}
        data-drawn={drawing !== null && places !== null ? 'yes' : undefined}
      >
        {places === null && <p class="nothing">Arranging the picture …</p>}
        {!hasWebGl && places !== null && (
          <img alt="" src={`data:image/svg+xml,${encodeURIComponent(svg())}`} />
        )}
      </div>
      {!hasWebGl && <p class="note">This browser has no WebGL: the picture cannot be zoomed or pointed at.</p>}
      {problem !== '' && <p class="note">{problem}</p>}
      <Key graph={graph} theme={theme} />
    </figure>
  );
}

const fillings = [[0, 'known, no page fetched'], [0.5, 'half fetched'], [1, 'all fetched']] as const;

function Key({ graph: { processors, from, links }, theme }: { readonly graph: CrawlGraph; readonly theme: Theme }) {
  const count = Math.min(processors, COLOURS);
  const size = 12;
  return (
    <figcaption>
      <ul class="key">
        {Array.from({ length: count }, (_, processor) => (
          <li key={processor}>
            <svg width={size} height={size} aria-hidden="true">
              <circle cx={6} cy={6} r={5.5} fill={processorColour(theme, processor)} />
            </svg>{' '}
            {processor === 0 ? 'processor 0' : processor}
          </li>
        ))}
        {processors > count && <li>and {number(processors - count)} more, in the same colours again</li>}
      </ul>
      {from === 'graph' && (
        <ul class="key">
          {fillings.map(([share, words]) => (
            <li key={words}>
              <svg width={size} height={size} aria-hidden="true">
                <circle cx={6} cy={6} r={5} fill="none" stroke={theme.ink} stroke-width={1.5} />
                <circle cx={6} cy={6} r={5 * Math.sqrt(share)} fill={theme.ink} />
              </svg>{' '}
              {words}
            </li>
          ))}
          <li>area: pages within reach</li>
          {links.length > 0 && <li>lines: links of pages fetched</li>}
        </ul>
      )}
      <p class="note">
        {from === 'log' ? 'The area of a host is its pages fetched. Point at it to see its name; '
          : 'Point at a node to see its name and its links, click on it for its pages; '}
        drag to move, Ctrl and the wheel to zoom. By keyboard: up and down in the table.
      </p>
    </figcaption>
  );
}

function canDraw(): boolean {
  const canvas = document.createElement('canvas');
  return (canvas.getContext('webgl2') ?? canvas.getContext('webgl')) !== null;
}

type Heard = Pick<Given, 'point' | 'choose'>;

/** What draws the picture: loaded when there is something to draw. */
function useDrawing(
  within: { readonly current: HTMLDivElement | null }, isWanted: boolean, theme: Theme, heard: Heard,
): { readonly drawing: Drawing | null; readonly problem: string } {
  const [state, setMade] = useState<{ readonly drawing: Drawing | null; readonly problem: string }>(notYet);
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    let drawing: Drawing | undefined;
    import('./drawing.ts').then(({ Drawing: Made }) => {
      if (isGone) return;
      drawing = new Made(within.current!, theme, {
        point: (id) => latest.current.point(id), choose: (id) => latest.current.choose(id),
      });
      setMade({ drawing, problem: '' });
    }).catch((error: unknown) => {
      setMade({ drawing: null, problem: `The picture cannot be drawn (${(error as Error).message}).` });
    });
    return () => {
      isGone = true;
      drawing?.remove();
      setMade(notYet);
    };
  }, [isWanted]);
  return state;
}

const notYet = { drawing: null, problem: '' };
