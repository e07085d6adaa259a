import { Component, createRef } from 'preact';
import { short } from '../../report/page/format.ts';
import { Save } from '../parts/save.tsx';
import { csvOf } from './csv.ts';
import { yText, type Figure } from './figures.ts';
import { Plot } from './plot.ts';
import { svgOf } from './svg.ts';

interface Given {
  readonly figure: Figure;
  /** The id of the run: names of files begin with it. */
  readonly id: string;
}

/** A picture with its key, and its numbers to take away. The canvas is drawn anew only when its numbers change. */
export class Chart extends Component<Given> {
  readonly #within = createRef<HTMLDivElement>();
  readonly #key = createRef<HTMLUListElement>();
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #resized = new ResizeObserver(([entry]) => this.#plot?.resize(Math.floor(entry.contentRect.width)));
  readonly #recolour = (): void => this.#plot?.recolour();
  #plot: Plot | undefined;
  /** The point under the pointer. */
  #at: number | null = null;

  override shouldComponentUpdate({ figure }: Given): boolean {
    const { name, xLabel, x, series, note } = this.props.figure;
    return name !== figure.name || xLabel !== figure.xLabel || note !== figure.note || x.length !== figure.x.length
      || x.at(-1) !== figure.x.at(-1) || series.length !== figure.series.length
      || series.some(({ values }, i) => values.at(-1) !== figure.series[i].values.at(-1));
  }

  override componentDidMount(): void {
    this.#draw();
    this.#read(null);
    this.#resized.observe(this.#within.current!);
    this.#scheme.addEventListener('change', this.#recolour);
  }

  override componentDidUpdate(): void {
    if (this.#plot?.fits(this.props.figure) === true) this.#plot.show(this.props.figure);
    else this.#draw();
    this.#read(this.#at);
  }

  override componentWillUnmount(): void {
    this.#resized.disconnect();
    this.#scheme.removeEventListener('change', this.#recolour);
    this.#plot?.remove();
  }

  override render({ figure, id }: Given) {
    const [name, title] = [`${id}-${figure.name}`, figure.title];
    return (
      <figure class="chart">
        <div class="chart-head">
          <h3>{title}</h3>
          <span class="saves">
            <Save label={`SVG: ${title}`} name={name} kind="svg" content={() => svgOf(this.props.figure)} />
            <Save label={`CSV: ${title}`} name={name} kind="csv" content={() => csvOf(this.props.figure)} />
          </span>
        </div>
        <ul class="key" ref={this.#key}>
          {figure.series.map(({ name, colour, style = '' }) => (
            <li key={name}><i class={`${colour.slice(2)} ${style}`} />{name} <b /></li>
          ))}
          <li class="at" />
        </ul>
        {figure.note !== undefined && <p class="note">{figure.note}</p>}
        <div class="plot" role="img" aria-label={figure.sentence} ref={this.#within} />
      </figure>
    );
  }

  #draw(): void {
    this.#plot?.remove();
    this.#plot = new Plot(this.#within.current!, this.props.figure, (at) => this.#read(at));
  }

  /** The values at a point in the key, or the last ones. Past the renderer: the pointer moves often. */
  #read(at: number | null): void {
    this.#at = at;
    const { figure } = this.props;
    const values = this.#key.current?.querySelectorAll('b') ?? [];
    figure.series.forEach((series, i) => {
      const last = (): number | null | undefined => series.values.findLast((value) => value !== null);
      values[i].textContent = series.texts === undefined
        ? yText(figure, (at === null ? last() : series.values[at]) ?? null)
        : at === null ? '' : series.texts[at];
    });
    const place = this.#key.current?.querySelector('.at');
    if (place) {
      place.textContent = at === null ? '' : figure.places?.[at] ?? `at ${short(figure.x[at])} (${figure.xLabel})`;
    }
  }
}
