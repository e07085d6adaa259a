/**
 * What kernels need of WebAssembly: its types come with those of the browser, which the product is compiled without.
 */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  class Memory {
    constructor(pages: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
