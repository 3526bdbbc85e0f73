import { KERNEL_BASE64 } from './kernel-bytes.ts';
import { createPlainKernel } from './plain-kernel.ts';
import { CODE_ALIGNMENT, type ScanKernel, type ScanRows } from './scan-kernel.ts';

const PAGE_BYTES = 65_536;

/** The part of the global that is used here; the library of types for Node.js leaves it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => CompiledModule;
  readonly Instance: new (compiled: CompiledModule) => { readonly exports: KernelExports };
};

interface CompiledModule {
  readonly [Symbol.toStringTag]: string;
}

interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  scan(c: number, s: number, n: number, query: number, stride: number, out: number): void;
}

/** The fastest kernel this engine can run. */
export function createScanKernel(): ScanKernel {
  const compiled = compileOnce();
  return compiled === undefined ? createPlainKernel() : createSimdKernel(compiled);
}

let compiledModule: CompiledModule | undefined | null = null;

function compileOnce(): CompiledModule | undefined {
  if (compiledModule !== null) return compiledModule;
  try {
    compiledModule = new WebAssembly.Module(Buffer.from(KERNEL_BASE64, 'base64'));
  } catch {
    // An engine without SIMD refuses the module: the plain loop gives the same answers.
    compiledModule = undefined;
  }
  return compiledModule;
}

function createSimdKernel(compiled: CompiledModule): ScanKernel {
  const instance = new WebAssembly.Instance(compiled);
  const { memory, scan: run } = instance.exports;
  let used = 0;

  function allocate(bytes: number): number {
    const address = used;
    used += Math.ceil(bytes / CODE_ALIGNMENT) * CODE_ALIGNMENT;
    const missing = used - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    return address;
  }

  function scan({ codes, scales, count, stride }: ScanRows, query: number, out: number): void {
    run(codes, scales, count, query, stride, out);
  }

  return {
    kind: 'simd',
    get buffer() {
      return memory.buffer;
    },
    allocate,
    scan,
  };
}
