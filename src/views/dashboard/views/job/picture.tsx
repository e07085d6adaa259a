import { useEffect, useRef, useState } from 'preact/hooks';
import { saved } from '../../../report/page/saved.ts';
import { fileOf, pathOf, type Drawing, type Mark } from './marks.ts';

interface Given {
  /** Of the job: files are named after it. */
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** What the picture shows, for who does not see it. */
  readonly sentence: string;
  readonly draw: (width: number) => Drawing;
  readonly csv: () => string;
}

const fileWidth = 760;

/** A picture made of marks, as wide as its place, with its numbers to take away. */
export function Picture({ id, name, title, sentence, draw, csv }: Given) {
  const within = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(fileWidth);
  useEffect(() => {
    const resized = new ResizeObserver(([entry]) => setWidth(Math.max(280, Math.floor(entry.contentRect.width))));
    resized.observe(within.current!);
    return () => resized.disconnect();
  }, []);
  const { height, marks } = draw(width);
  const saveSvg = (): void => saved(`${id}-${name}.svg`, 'image/svg+xml', fileOf(draw(fileWidth), title, sentence));
  return (
    <figure class="chart picture">
      <div class="chart-head">
        <h3>{title}</h3>
        <span class="saves">
          <button type="button" class="small" aria-label={`SVG: ${title}`} onClick={saveSvg}>SVG</button>
          <button
            type="button" class="small" aria-label={`CSV: ${title}`}
            onClick={() => saved(`${id}-${name}.csv`, 'text/csv', csv())}
          >
            CSV
          </button>
        </span>
      </div>
      <div ref={within}>
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {marks.map((mark, i) => <Drawn key={i} mark={mark} />)}
        </svg>
      </div>
    </figure>
  );
}

function Drawn({ mark }: { readonly mark: Mark }) {
  switch (mark.is) {
    case 'line': return <path class={`mark-${mark.look}`} d={pathOf(mark.points)} />;
    case 'dot': return <circle class={`mark-${mark.look}`} cx={mark.x} cy={mark.y} r={mark.r} />;
    case 'text':
      return <text class={`mark-${mark.look}`} x={mark.x} y={mark.y} text-anchor={mark.anchor}>{mark.text}</text>;
  }
}
