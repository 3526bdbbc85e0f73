import type { Settings } from '../../../config/settings.ts';
import { openEmbedder } from '../../../embed/open-embedder.ts';
import { MemoryError } from '../../../errors.ts';
import { type Check, messageOf } from './diagnose.ts';

const WAIT_MS = 10_000;

/** Whether the embedder makes a vector. Without one, search goes by words alone: a warning, not a failure. */
export async function checkEmbedder({ embedder: settings }: Settings): Promise<Check> {
  const name = 'embedder';
  const { provider, model, baseUrl } = settings;
  if (provider === 'none') {
    return { name, status: 'ok', message: 'none: search goes by words alone' };
  }
  try {
    const embedder = await openEmbedder(settings);
    try {
      const signal = AbortSignal.timeout(WAIT_MS);
      const [vector] = (await embedder?.embed(['size'], { kind: 'query', signal })) ?? [];
      const size = `${vector?.length ?? 0} dimensions`;
      return { name, status: 'ok', message: `${provider}, ${embedder?.model ?? model}, ${size}` };
    } finally {
      await embedder?.close();
    }
  } catch (error) {
    const message = `${provider}, ${model}: ${messageOf(error)}`;
    return { name, status: 'warn', message, fix: wayOut(error, provider, baseUrl) };
  }
}

function wayOut(error: unknown, provider: string, baseUrl: string | null): string {
  if (error instanceof MemoryError && error.code === 'KEY_MISSING') {
    return 'set OPENAI_API_KEY, or `embedder.provider` to `local`';
  }
  if (provider === 'onnx') {
    const repair = error instanceof MemoryError ? error.data?.['repair'] : undefined;
    return `${String(repair ?? 'see docs/configuration.md for what the folder must hold')}, or set \`embedder.provider\` to \`local\``;
  }
  if (provider === 'local')
    return 'install the package again: its model files are missing or damaged';
  return `see that ${baseUrl ?? 'the provider'} can be reached, or set \`embedder.provider\` to \`local\``;
}
