import { useRef } from 'preact/hooks';
import { useWidth } from '../../parts/hooks.ts';
import { Save } from '../../parts/save.tsx';
import { fileOf, pathOf, type Drawing, type Mark } from './marks.ts';

interface Given {
  /** The id of the job: names of files begin with it. */
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
  const width = useWidth(within, fileWidth, 280);
  const { height, marks } = draw(width);
  return (
    <figure class="chart picture">
      <div class="chart-head">
        <h3>{title}</h3>
        <span class="saves">
          <Save
            label={`SVG: ${title}`} name={`${id}-${name}`} kind="svg"
            content={() => fileOf(draw(fileWidth), title, sentence)}
          />
          <Save label={`CSV: ${title}`} name={`${id}-${name}`} kind="csv" content={csv} />
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
