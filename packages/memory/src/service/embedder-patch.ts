import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { invalidParams } from '../errors.ts';

/** The embedder as `set_config` may change it. */
export interface EmbedderPatch {
  readonly provider?: string | null;
  readonly model?: string | null;
  readonly baseUrl?: string | null;
  readonly apiKey?: string | null;
}

/** Absolute, from home, `./`, `../`, a drive or share of Windows, `file:`; not `BAAI/bge-m3`. */
const PATH = /^(?:[/\\~]|\.{1,2}(?:[/\\]|$)|[A-Za-z]:[/\\]|file:)|\\|(?:^|\/)\.\.(?:\/|$)/i;
const MAX_SHOWN = 200;

/** Refuses a patch that names a folder: only the owner says from where code and models are loaded. */
export function assertNoPath(
  { provider, model }: EmbedderPatch,
  { before, configPath }: { readonly before: EmbedderSettings; readonly configPath: string },
): void {
  const isOnnx = (provider ?? before.provider) === 'onnx';
  if (provider !== 'onnx' && (typeof model !== 'string' || !(isOnnx || PATH.test(model)))) return;
  const named =
    typeof model === 'string' && model.length <= MAX_SHOWN ? model : '/path/of/the/model';
  const line = isOnnx ? { provider: 'onnx', model: named } : { model: named };
  const key = provider === 'onnx' ? 'provider' : 'model';
  throw invalidParams(
    `a request cannot make the server load a model from a folder; its owner adds \`"embedder": ${JSON.stringify(line)}\` to \`${configPath}\``,
    `embedder.${key}`,
  );
}
