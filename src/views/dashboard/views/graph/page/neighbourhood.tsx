import { useRef, useState } from 'preact/hooks';
import { counted } from '../../../../report/page/format.ts';
import type { PageNeighbourhood } from '../../../../service/dashboard/graph/api.ts';
import { useWidth } from '../../../parts/hooks.ts';
import { Save } from '../../../parts/save.tsx';
import { processorColour } from '../picture/colours.ts';
import { curve, neighboursCsv, neighboursOf, neighboursSvg, type Dot } from './neighbours.ts';
import { useTheme } from '../picture/use-theme.ts';

interface Given {
  readonly id: string;
  readonly around: PageNeighbourhood;
  readonly open: (page: number) => void;
}

/** A page between those that link to it and those that it links to. The tables below are its way for keyboards. */
export function Neighbourhood({ id, around, open }: Given) {
  const theme = useTheme();
  const within = useRef<HTMLDivElement>(null);
  const width = useWidth(within, 800, 200);
  const [pointed, setPointed] = useState<Dot | null>(null);
  const { page, from, to } = around;
  const sentence = `${page.name}: ${counted(from.length, 'page')} that link to it, ${counted(to.length, 'page')} that it links to.`;
  const { height, middle, dots } = neighboursOf(around, width);
  const circle = (dot: Dot, radius: number) => {
    const colour = processorColour(theme, dot.page.processor);
    return (
      <circle
        cx={dot.x} cy={dot.y} r={radius} stroke={colour} stroke-width={1.5}
        fill={dot.page.state === 'fetched' ? colour : theme.paper}
      />
    );
  };
  return (
    <figure class="chart">
      <div class="chart-head">
        <h3>Links to and from the page</h3>
        <span class="saves">
          <Save
            label="SVG of the page's links" name={`${id}-page-${page.page}`} kind="svg"
            content={() => neighboursSvg(around, sentence)}
          />
          <Save
            label="CSV of the page's links" name={`${id}-page-${page.page}`} kind="csv"
            content={() => neighboursCsv(around)}
          />
        </span>
      </div>
      <div ref={within}>
        <svg
          class="neighbours" width={width} height={height} role="img" aria-label={sentence}
          onPointerLeave={() => setPointed(null)}
        >
          {dots.map((dot) => (
            <path key={keyOf(dot)} class={dot === pointed ? 'link pointed' : 'link'} d={curve(dot, middle)} />
          ))}
          {dots.map((dot) => (
            <g
              key={keyOf(dot)} class="neighbour" onClick={() => open(dot.page.page)}
              onPointerEnter={() => setPointed(dot)}
            >
              <title>{dot.page.name}</title>
              {circle(dot, 4.5)}
              <text x={dot.side === 'left' ? dot.x - 10 : dot.x + 10} y={dot.y + 4} text-anchor={anchors[dot.side]}>
                {dot.label}
              </text>
            </g>
          ))}
          {circle(middle, 9)}
        </svg>
      </div>
      <p class="note">
        On the left are pages that link to it, on the right those that it links to; filled: fetched. Colours are those
        of the processors.
      </p>
    </figure>
  );
}

const anchors = { left: 'end', middle: 'middle', right: 'start' } as const;

const keyOf = ({ side, page }: Dot): string => `${side}-${page.page}`;
