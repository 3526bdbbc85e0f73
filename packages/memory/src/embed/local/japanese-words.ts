import type { BridgeHit, JapaneseBridge } from './japanese-bridge.ts';

const katakana = /[\p{sc=Katakana}ー]/u;
const minKatakana = 3;

/** Runs of Japanese script within a text, and what lies between them. */
export const japaneseRun: RegExp = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々]+/gu;

/** Words of a run of Japanese script, found by longest match; what no word covers is left out. */
export function* japaneseWords(run: string, bridge: JapaneseBridge): Generator<BridgeHit> {
  for (let at = 0; at < run.length; ) {
    const hit = matchAt(run, at, bridge);
    if (hit !== undefined) yield hit;
    at += hit?.length ?? 1;
  }
}

/** Katakana spells foreign words letter by letter: a short match inside one is an accident. */
function matchAt(run: string, at: number, bridge: JapaneseBridge): BridgeHit | undefined {
  const hit = bridge.longestMatch(run, at, run.length);
  if (hit === undefined || !katakana.test(run.charAt(at))) return hit;
  let end = at;
  while (end < run.length && katakana.test(run.charAt(end))) end++;
  const whole = at + hit.length >= end;
  return whole || hit.length >= minKatakana ? hit : undefined;
}
