import { readFileSync } from 'node:fs';

/** Version of this package. */
export function version(): string {
  // Two or three levels up, from source and from a bundle.
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(
        readFileSync(new URL(path, import.meta.url), 'utf8'),
      ) as { name: string; version: string };
      if (name === 'tincan-cli') return found;
    } catch {
      // Not here.
    }
  }
  return 'unknown';
}
