import type { Memory } from '../../../service/memory.ts';

/** How long a note's vector may keep the prompt; a server or `reindex` makes it otherwise. */
const EMBED_WAIT_MS = 3_000;

/** Gives what was just written its vector. It is safe and found by its words: a model that is away is no failure. */
export async function embedSoon(memory: Pick<Memory, 'reindex'>): Promise<void> {
  await memory.reindex({ signal: AbortSignal.timeout(EMBED_WAIT_MS) }).catch(() => undefined);
}
