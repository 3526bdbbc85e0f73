const MODULES = Symbol.for('@tincan/modules');

/**
 * Keeps what was compiled for this process and is not kept yet, so that the next one starts faster. Built
 * entries leave it here (docs/packaging.md#how-programs-start); from source there is nothing to keep.
 */
export function keepCompiled(): void {
  const { [MODULES]: modules } = process as {
    [MODULES]?: ReadonlyMap<string, { readonly keep?: (() => void) | undefined }>;
  };
  for (const { keep } of modules?.values() ?? []) keep?.();
}
