import type { EmbedderSettings } from '../embed/embedder-settings.ts';
import { keyOrigin } from '../embed/endpoint.ts';
import { modelFolderOf } from '../embed/onnx/model-path.ts';
import { isProviderName } from '../embed/providers.ts';
import type { Space } from '../store/space.ts';

/**
 * How to reach the model that made the vectors of a space, or `undefined`. The store only names it: keys and
 * folders come from settings that were in force, so that a key stays with its origin and no row loads a model.
 */
export function settingsOfSpace(
  { provider, model, dim, baseUrl }: Space,
  known: readonly EmbedderSettings[],
): EmbedderSettings | undefined {
  if (!isProviderName(provider)) return undefined;
  if (provider === 'onnx') {
    const folder = modelFolderOf(model);
    const configured = known.find(
      (each) => each.provider === 'onnx' && modelFolderOf(each.model) === folder,
    );
    return configured && { ...configured, model, dim };
  }
  const origin = keyOrigin({ provider, baseUrl });
  const { apiKey } = known.find((each) => keyOrigin(each) === origin) ?? {};
  return { provider, model, dim, baseUrl, apiKey };
}
