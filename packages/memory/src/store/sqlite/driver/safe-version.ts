/** Before 3.51.3 two processes that write and checkpoint at the same moment can lose committed pages. */
export const SAFE_VERSION = '3.51.3';

/** Whether this SQLite is safe with several processes on one write-ahead log. */
export function isSafeVersion(version: string): boolean {
  return orderOf(version) >= orderOf(SAFE_VERSION);
}

function orderOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return (major * 1_000 + minor) * 1_000 + patch;
}
