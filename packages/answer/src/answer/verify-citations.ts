import type { Clock } from '../clock.ts';
import type { ProbePage } from './probe-page.ts';
import type { Citation } from './result.ts';
import { isWebAddress } from './search-sources.ts';

/** Opens the cited pages side by side; what is not settled in time keeps its earlier verdict. */
export async function verifyCitations(
  citations: readonly Citation[],
  options: {
    readonly probe: ProbePage;
    readonly clock: Clock;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<readonly Citation[]> {
  const { probe, clock, timeoutMs, signal } = options;
  const timeUp = new AbortController();
  const stop = clock.after(timeoutMs, () => timeUp.abort());
  const limit = AbortSignal.any([signal, timeUp.signal]);
  try {
    return await Promise.all(
      citations.map(async (citation) => {
        if (!isWebAddress(citation.url) || citation.verified === 'broken') return citation;
        // A page that cannot be judged must not cost the answer.
        const verdict = await probe(citation.url, limit).catch(() => 'unknown' as const);
        return verdict === 'unknown' ? citation : { ...citation, verified: verdict };
      }),
    );
  } finally {
    stop();
  }
}
