import { grown } from '../base/index.ts';

/** Links in the order in which they are added: link i goes from sources[i] to targets[i]. 8 to 16 bytes a link. */
export class ArcList {
  #sources = new Uint32Array(1 << 12);
  #targets = new Uint32Array(1 << 12);
  #length = 0;
  #largest = -1;

  get length(): number {
    return this.#length;
  }

  get sources(): Uint32Array {
    return this.#sources.subarray(0, this.#length);
  }

  get targets(): Uint32Array {
    return this.#targets.subarray(0, this.#length);
  }

  /** Largest id added; -1 before any. */
  get largestId(): number {
    return this.#largest;
  }

  add(source: number, target: number): void {
    this.#sources = grown(this.#sources, this.#length + 1);
    this.#targets = grown(this.#targets, this.#length + 1);
    this.#sources[this.#length] = source;
    this.#targets[this.#length++] = target;
    this.#largest = Math.max(this.#largest, source, target);
  }
}
