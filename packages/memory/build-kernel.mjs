import { readFile, writeFile } from 'node:fs/promises';
import wabtFactory from 'wabt';

/** Compiles the kernel's text into the module the scan imports. Run by `npm run build:kernel`. */
const source = new URL('./src/kernel/kernel.wat', import.meta.url);
const target = new URL('./src/kernel/kernel-bytes.ts', import.meta.url);

const wabt = await wabtFactory();
const module = wabt.parseWat('kernel.wat', await readFile(source, 'utf8'), { simd: true });
const { buffer } = module.toBinary({ write_debug_names: false });
const text = Buffer.from(buffer).toString('base64');
const lines = text.match(/.{1,90}/g) ?? [];

await writeFile(
  target,
  [
    '/** `kernel.wat`, compiled: a test compares the two. */',
    'export const KERNEL_BASE64: string =',
    `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
    '',
  ].join('\n'),
);
