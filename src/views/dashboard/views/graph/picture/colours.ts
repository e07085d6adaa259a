/** Colours that the picture needs, as hexadecimal numbers of six digits after #. */
export interface Theme {
  /** The colours of the first eight processors. */
  readonly palette: readonly string[];
  readonly ink: string;
  readonly soft: string;
  readonly paper: string;
}

/** The colours of saved pictures: on white. */
export const printed: Theme = {
  palette: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6d46', '#3d4650'],
  ink: '#1d2228', soft: '#5d6670', paper: '#ffffff',
};

/** Processors with colours of their own: the palette, then darker, then paler. */
export const COLOURS = 24;

/** The colour of a processor. From number 24 on they are repeated. */
export function processorColour({ palette, ink, paper }: Theme, processor: number): string {
  const colour = palette[processor % 8];
  const shade = Math.floor(processor / 8) % 3;
  return shade === 0 ? colour : mixed(colour, shade === 1 ? ink : paper, 0.5);
}

/** A mixture of two colours, with this share of the second. */
export function mixed(first: string, other: string, share: number): string {
  const parts = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const [a, b] = [parts(first), parts(other)];
  return `#${a.map((part, i) => Math.round(part + share * (b[i] - part)).toString(16).padStart(2, '0')).join('')}`;
}
