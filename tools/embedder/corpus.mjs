import { seededRandom } from './matrix.mjs';
import { ownText } from './own-text.mjs';
import { unpacked } from './sources.mjs';
import { readWordNet } from './wordnet.mjs';

/**
 * The sentences the teacher reads: WordNet's definitions and examples, rare word pieces first served,
 * and text of our own, until `maxTokens` are spent. `encode` turns a text into word pieces.
 */
export function buildCorpus({ encode, seed, definitions, examples, own, maxPieces }) {
  const random = seededRandom(seed);
  const synsets = readWordNet(new URL('usr/share/wordnet/', unpacked('wordnet-base')));
  const defined = synsets.map(
    ({ words, definition }) => `${words.slice(0, 3).join(', ')}: ${definition}`,
  );
  const shown = synsets.flatMap((synset) => synset.examples);
  const seen = new Map();
  const texts = [
    ...coverFirst(defined, definitions),
    ...coverFirst(shown, examples),
    ...take(ownText(own, random), own),
  ];
  return dedupe(texts);

  function take(list, count) {
    return list.slice(0, count).map((text) => ({ text, ids: encode(text).slice(0, maxPieces) }));
  }

  /** Texts with a piece seen fewer than `enough` times go before all others. */
  function coverFirst(list, count, enough = 6) {
    const encoded = take(shuffled(list, random), list.length);
    const chosen = [];
    const rest = [];
    for (const entry of encoded) {
      const rare = entry.ids.some((id) => (seen.get(id) ?? 0) < enough);
      if (!rare || chosen.length >= count) {
        rest.push(entry);
        continue;
      }
      chosen.push(entry);
      for (const id of new Set(entry.ids)) seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    return [...chosen, ...rest.slice(0, Math.max(0, count - chosen.length))];
  }
}

function shuffled(list, random) {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

function dedupe(entries) {
  const byIds = new Map();
  for (const entry of entries) if (entry.ids.length > 0) byIds.set(entry.ids.join(' '), entry);
  return [...byIds.values()];
}
