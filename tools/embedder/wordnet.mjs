import { readFileSync } from 'node:fs';

/** Reads WordNet's synsets: their words, the definition and the example sentences. */
export function readWordNet(folder) {
  return ['noun', 'verb', 'adj', 'adv'].flatMap((part) =>
    readFileSync(new URL(`data.${part}`, folder), 'latin1')
      .split('\n')
      .filter((line) => /^\d/.test(line))
      .map((line) => parseSynset(line, part)),
  );
}

function parseSynset(line, part) {
  const bar = line.indexOf('|');
  const fields = line.slice(0, bar).trim().split(' ');
  const count = Number.parseInt(fields[3], 16);
  const words = Array.from({ length: count }, (_, i) =>
    fields[4 + 2 * i].replace(/\([a-z]+\)$/, '').replaceAll('_', ' '),
  );
  const gloss = line.slice(bar + 1).trim();
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].map((match) => match[1].trim());
  const definition = gloss
    .replace(/"[^"]*"/g, '')
    .replace(/[;\s]+$/, '')
    .replace(/;(\s*;)+/g, ';')
    .trim();
  return { part, words, definition, examples };
}
