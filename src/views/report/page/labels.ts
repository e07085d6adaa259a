/**
 * Positions for the names of curves: beside the own curve, clear of every curve, of the other names and of the frame. A
 * name without such a position is omitted, and its curve is named in the key above the drawing instead.
 */

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly name: string;
  /** Points in pixels, x never falling. */
  readonly points: readonly Pixel[];
}

/** A rectangle: the frame of a drawing, or the box around a name. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Placed extends Pixel {
  readonly name: string;
  /** The text starts here, or ends here; `y` is its middle. */
  readonly anchor: 'start' | 'end';
}

const lineHeight = 15;
const clearance = 3;
const stepPixels = 6;

/** Places names in their order; `boxes` are no longer free. */
export function placeLabels(
  lines: readonly Line[], names: readonly string[], frame: Frame, widthOf: (name: string) => number,
): Placed[] {
  const dense = lines.map((line) => ({ name: line.name, points: densified(line.points) }));
  const boxes: Frame[] = [];
  const placed: Placed[] = [];
  for (const name of names) {
    const curve = dense.find((line) => line.name === name);
    if (curve === undefined) continue;
    const best = bestPlace(curve, dense, boxes, frame, widthOf(name));
    if (best === undefined) continue;
    boxes.push(best.box);
    placed.push(best.label);
  }
  return placed;
}

function bestPlace(
  curve: Line, lines: readonly Line[], boxes: readonly Frame[], frame: Frame, width: number,
): { label: Placed; box: Frame } | undefined {
  let best: { label: Placed; box: Frame } | undefined;
  let bestCost = Infinity;
  const others = lines.filter((line) => line !== curve);
  const span = frame.right - frame.left;
  for (let x = frame.left + 4; x <= frame.right - 4; x += stepPixels) {
    const y = heightAt(curve.points, x);
    if (y === undefined) continue;
    for (const anchor of ['start', 'end'] as const) {
      for (let gap = 7; gap <= 26; gap += 4) {
        for (const side of [-1, 1]) {
          const middle = y + side * (gap + lineHeight / 2 - 4);
          const start = anchor === 'start' ? x + 4 : x - 4 - width;
          const half = lineHeight / 2;
          const box = { left: start, right: start + width, top: middle - half, bottom: middle + half };
          if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom)
            continue;
          if (boxes.some((other) => overlap(box, other)) || lines.some((line) => meets(line, box))) continue;
          const nearest = Math.min(60, ...others.map((line) => distance(line, box)));
          const ownDistance = distance(curve, box);
          if (nearest < ownDistance + 4) continue;
          // Close to its own curve, far from the others, and preferably right of the middle rather than at an end.
          const cost = 2 * ownDistance - 0.6 * nearest + 30 * Math.abs((x - frame.left) / span - 0.55);
          if (cost < bestCost) {
            bestCost = cost;
            best = { label: { name: curve.name, x: anchor === 'start' ? start : box.right, y: middle, anchor }, box };
          }
        }
      }
    }
  }
  return best;
}

/** Points no further apart than a few pixels, so that boxes can be tested against points only. */
function densified(points: readonly Pixel[]): Pixel[] {
  const dense: Pixel[] = [];
  points.forEach((point, i) => {
    if (i > 0) {
      const previous = points[i - 1];
      const pieces = Math.min(
        400, Math.ceil(Math.max(Math.abs(point.x - previous.x), Math.abs(point.y - previous.y)) / 4),
      );
      for (let piece = 1; piece < pieces; piece++) {
        const part = piece / pieces;
        dense.push({ x: previous.x + part * (point.x - previous.x), y: previous.y + part * (point.y - previous.y) });
      }
    }
    dense.push(point);
  });
  return dense;
}

function heightAt(points: readonly Pixel[], x: number): number | undefined {
  const at = points.findIndex((point) => point.x >= x);
  if (at < 0 || (at === 0 && points[0].x > x)) return undefined;
  return points[at].y;
}

function overlap(a: Frame, b: Frame): boolean {
  return a.left < b.right + clearance && b.left < a.right + clearance
    && a.top < b.bottom + clearance && b.top < a.bottom + clearance;
}

function meets(line: Line, box: Frame): boolean {
  return line.points.some(({ x, y }) =>
    x > box.left - clearance && x < box.right + clearance && y > box.top - clearance && y < box.bottom + clearance);
}

function distance(line: Line, box: Frame): number {
  let min = Infinity;
  for (const { x, y } of line.points) {
    const dx = Math.max(box.left - x, 0, x - box.right);
    const dy = Math.max(box.top - y, 0, y - box.bottom);
    min = Math.min(min, Math.hypot(dx, dy));
  }
  return min;
}
