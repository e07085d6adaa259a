import { existsSync, readFileSync } from 'node:fs';

/** What is used of WebAssembly, which the type libraries declare for browsers only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => KernelModule;
  readonly Instance: new (module: KernelModule) => { readonly exports: unknown };
};

interface KernelModule {
  readonly [Symbol.toStringTag]: string;
}

/** A kernel's linear memory. Its buffer is another one after each growth. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
}

const compiled = new Map<string, KernelModule>();

/**
 * The exports of a new instance of the kernel src/queue/<name>.as.ts, which the build puts to dist/queue/<name>.wasm. Read and
 * compiled synchronously, once a thread. Throws Error if it has not been built.
 */
export function instantiateKernel(name: string): unknown {
  let module = compiled.get(name);
  if (module === undefined) {
    // The same place from src/queue/ and from dist/queue/.
    const file = new URL(`../../dist/queue/${name}.wasm`, import.meta.url);
    if (!existsSync(file)) throw new Error(`the kernel ${name} is missing: run "npm run build" (looked for ${file.pathname})`);
    module = new WebAssembly.Module(readFileSync(file));
    compiled.set(name, module);
  }
  return new WebAssembly.Instance(module).exports;
}
