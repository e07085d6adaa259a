import { peakResidentBytes } from '../../core/engine/index.ts';
import { bytesPerArc, type WebGraph } from '../../graphs/graph/index.ts';
import { decimal } from '../text/figures.ts';

export interface MemoryFacts {
  /** Offsets and targets of the links, in one direction, by link. */
  readonly graphBytesPerArc: number;
  readonly peakResidentBytes: number;
}

export function memoryFacts(graph: WebGraph): MemoryFacts {
  return { graphBytesPerArc: bytesPerArc(graph), peakResidentBytes: peakResidentBytes() };
}

/** "Peak memory 286.3 MB; 4.40 bytes per link, in one direction." */
export function memorySentence(graph: WebGraph): string {
  const { graphBytesPerArc, peakResidentBytes: bytes } = memoryFacts(graph);
  return `Peak memory ${decimal(bytes / 1e6, 1)} MB; ${decimal(graphBytesPerArc, 2)} bytes per link, in one direction.`;
}
