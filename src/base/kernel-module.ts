import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InputError } from './errors.ts';

const modules = new Map<string, WebAssembly.Module>();

/**
 * The compiled kernel dist/`name`.wasm, loaded once a thread. The path is the same seen from src/base and from
 * dist/base. Internal, as all that names WebAssembly: the types of a user may not have it.
 *
 * @internal
 */
export function kernelModule(name: string): WebAssembly.Module {
  let module = modules.get(name);
  if (module === undefined) {
    const file = fileURLToPath(new URL(`../../dist/${name}.wasm`, import.meta.url));
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
