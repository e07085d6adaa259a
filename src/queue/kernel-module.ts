import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from '../std/index.ts';

const modules = new Map<string, WebAssembly.Module>();

/** The compiled kernel dist/queue/`name`.wasm, loaded once a thread. The path is the same seen from src/queue and from dist/queue. */
export function kernelModule(name: string): WebAssembly.Module {
  let module = modules.get(name);
  if (module === undefined) {
    const file = fileURLToPath(new URL(`../../dist/queue/${name}.wasm`, import.meta.url));
    let bytes: Buffer<ArrayBuffer>;
    try {
      bytes = readFileSync(file);
    } catch (cause) {
      throw new InputError(`${file}: no such kernel; run npm run build`, { cause });
    }
    module = new WebAssembly.Module(bytes);
    modules.set(name, module);
  }
  return module;
}
