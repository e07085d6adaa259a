/** Loaded when a graph is looked at: it brings sigma. */
import { createNodeBorderProgram } from '@sigma/node-border';
import { DirectedGraph } from 'graphology';
import Sigma from 'sigma';
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering';
import type { Theme } from './colours.ts';
import type { Picture } from './picture.ts';

/** The share of a node's radius that its rim takes. */
const RIM = 0.16;

interface Heard {
  /** The node that is pointed at; null: none. */
  readonly point: (id: number | null) => void;
  readonly choose: (id: number) => void;
}

/** A picture of a graph on a canvas, drawn by WebGL. */
export class Drawing {
  readonly #graph = new DirectedGraph();
  readonly #sigma: Sigma;
  readonly #within: HTMLElement;
  #picture: Picture = { marks: [], lines: [] };
  #theme: Theme;
  /** Where names are in the present frame. */
  #named: Box[] = [];

  /** @throws Error where the browser has no WebGL. */
  constructor(within: HTMLElement, theme: Theme, { point, choose }: Heard) {
    this.#within = within;
    this.#theme = theme;
    // A wheel without Ctrl scrolls the page.
    within.addEventListener('wheel', (event) => { if (!event.ctrlKey) event.stopPropagation(); }, { capture: true });
    this.#sigma = new Sigma(this.#graph, within, {
      // A rim and a disc in the colour of the processor, and between them the share that is not fetched.
      nodeProgramClasses: {
        circle: createNodeBorderProgram({
          borders: [
            { size: { value: RIM }, color: { attribute: 'color' } },
            { size: { attribute: 'hollow', defaultValue: 0 }, color: { attribute: 'hollowColor' } },
            { size: { fill: true }, color: { attribute: 'color' } },
          ],
        }),
      },
      defaultDrawNodeLabel: this.#label, defaultDrawNodeHover: this.#ringed, labelFont: 'system-ui, sans-serif',
      labelSize: 12, labelDensity: 0.3, labelGridCellSize: 150, labelRenderedSizeThreshold: 8, zIndex: true,
      stagePadding: 26, minEdgeThickness: 1.3, maxCameraRatio: 2, minCameraRatio: 0.05, allowInvalidContainer: true,
      zoomToSizeRatioFunction: (ratio) => Math.sqrt(ratio),
    });
    this.#sigma.on('beforeRender', () => { this.#named = []; });
    this.#sigma.on('enterNode', ({ node }) => { point(Number(node)); });
    this.#sigma.on('leaveNode', () => { point(null); });
    this.#sigma.on('clickNode', ({ node }) => { choose(Number(node)); });
  }

  show(picture: Picture, theme: Theme): void {
    const { marks, lines } = this.#picture;
    this.#theme = theme;
    this.#picture = picture;
    const isSame = marks.length === picture.marks.length && lines.length === picture.lines.length
      && marks.every(({ id }, i) => id === picture.marks[i].id)
      && lines.every(({ from, to }, i) => from === picture.lines[i].from && to === picture.lines[i].to);
    if (!isSame) this.#graph.clear();
    for (const mark of picture.marks) this.#graph.mergeNode(mark.id, this.#nodeOf(mark));
    picture.lines.forEach(({ from, to, width, colour, isShown }, i) => {
      const attributes = { size: width, color: colour, hidden: !isShown, zIndex: colour === theme.ink ? 1 : 0 };
      this.#graph.mergeDirectedEdgeWithKey(String(i), picture.marks[from].id, picture.marks[to].id, attributes);
    });
  }

  zoom(by: 'in' | 'out' | 'all'): void {
    const camera = this.#sigma.getCamera();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const how = { duration: isStill ? 1 : 200 };
    if (by === 'all') void camera.animatedReset(how);
    else void (by === 'in' ? camera.animatedZoom(how) : camera.animatedUnzoom(how));
  }

  /** The picture as the screen shows it. */
  async png(): Promise<Blob | null> {
    // What WebGL has drawn is there until the browser shows it.
    this.#sigma.refresh({ schedule: false });
    const layers = [...this.#within.querySelectorAll('canvas')];
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [layers[0].width, layers[0].height];
    const onto = canvas.getContext('2d')!;
    onto.fillStyle = this.#theme.paper;
    onto.fillRect(0, 0, canvas.width, canvas.height);
    for (const layer of layers) onto.drawImage(layer, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  }

  remove(): void {
    this.#sigma.kill();
  }

  #nodeOf({ x, y, radius, colour, filled, label, isShown, isChosen }: Picture['marks'][number]): object {
    return {
      x, y, size: radius, color: colour, hollow: (1 - RIM) * (1 - Math.sqrt(filled)), hollowColor: this.#theme.paper,
      label, hidden: !isShown, highlighted: isChosen, forceLabel: isChosen,
      zIndex: isChosen ? 1 : 0, type: 'circle',
    };
  }

  /** The name of a node, unless it would cover another name. */
  readonly #label: NodeLabelDrawingFunction = (context, node, settings) => {
    const box = this.#boxOf(context, node, settings);
    if (this.#named.some((other) => covers(other, box))) return;
    this.#named.push(box);
    this.#write(context, node.label ?? '', box);
  };

  /** The name of a node that is pointed at, and a ring around it. */
  readonly #ringed: NodeHoverDrawingFunction = (context, node, settings) => {
    context.beginPath();
    context.arc(node.x, node.y, node.size + 3, 0, 2 * Math.PI);
    context.strokeStyle = this.#theme.ink;
    context.lineWidth = 2;
    context.stroke();
    this.#write(context, node.label ?? '', this.#boxOf(context, node, settings));
  };

  /** Beside the node, on whichever side there is room. */
  readonly #boxOf = (
    context: CanvasRenderingContext2D, { x, y, size, label }: Parameters<NodeLabelDrawingFunction>[1],
    { labelFont, labelSize }: Parameters<NodeLabelDrawingFunction>[2],
  ): Box => {
    context.font = `${labelSize}px ${labelFont}`;
    const { width } = context.measureText(label ?? '');
    const right = x + size + 4;
    const leftEdge = right + width < this.#within.clientWidth ? right : Math.max(4, x - size - 4 - width);
    return { left: leftEdge, right: leftEdge + width, top: y - labelSize, bottom: y + labelSize / 3 };
  };

  #write(context: CanvasRenderingContext2D, label: string, { left: x, bottom }: Box): void {
    context.strokeStyle = this.#theme.paper;
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeText(label, x, bottom);
    context.fillStyle = this.#theme.ink;
    context.fillText(label, x, bottom);
  }
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function covers(first: Box, other: Box): boolean {
  return first.left < other.right && other.left < first.right && first.top < other.bottom && other.top < first.bottom;
}
