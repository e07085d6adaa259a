import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from '../errors.ts';

const modules = new Map<string, WebAssembly.Module>();

/**
 * The compiled kernel dist/`name`.wasm, loaded once per thread. The relative path is the same from src/base and from
 * dist/base. Internal, like everything that names WebAssembly: a user's types may lack it.
 *
 * @internal
 */
export function kernelModule(name: string): WebAssembly.Module {
  let module = modules.get(name);
  if (module === undefined) {
    const file = fileURLToPath(new URL(`../../../dist/${name}.wasm`, import.meta.url));
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
