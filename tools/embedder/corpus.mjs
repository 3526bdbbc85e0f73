import { fileURLToPath } from 'node:url';
import { readPythonFunctions } from './python-functions.mjs';
import { packages, unpacked } from './sources.mjs';
import { readWordNet } from './wordnet.mjs';

/** Everything there is to read: WordNet's synsets and documented Python functions. */
export function readSources({ maxBody, maxFunctions }) {
  const python = Object.keys(packages).filter((name) => name.startsWith('python3-'));
  return {
    synsets: readWordNet(new URL('usr/share/wordnet/', unpacked('wordnet-base'))),
    // A large package would teach little but its own subject.
    functions: python.flatMap((name) =>
      spreadOver(readPythonFunctions(fileURLToPath(unpacked(name)), { maxBody }), maxFunctions),
    ),
  };
}

/** The texts the teacher reads, each with how many of its word pieces it looks at. */
export function buildCorpus({ synsets, functions }, { maxPieces, maxCodePieces }) {
  const prose = [
    ...synsets.map(({ words, definition }) => `${words.slice(0, 3).join(', ')}: ${definition}`),
    ...synsets.flatMap(({ examples }) => examples),
    ...functions.map(({ summary }) => summary.toLowerCase()),
  ];
  return [
    ...[...new Set(prose)].map((text) => ({ text, limit: maxPieces })),
    ...functions.map((each) => ({ text: documented(each), limit: maxCodePieces })),
  ];
}

/** Pairs of a question and what answers it, in groups of one kind; what shares a `key` says the same. */
export function buildPairs({ functions }) {
  return [
    functions.map(({ summary, code }) => ({ key: summary, query: summary, note: code })),
    functions.map((each) => ({
      key: each.summary,
      query: `python ${each.name.replaceAll('_', ' ')}`,
      note: documented({ ...each, code: each.code.replace(/^def \w+/, 'def f') }),
    })),
  ];
}

/** So many of a list, from all over it. */
function spreadOver(list, count) {
  const step = Math.max(1, list.length / count);
  return Array.from({ length: Math.min(count, list.length) }, (_, i) => list[Math.floor(i * step)]);
}

function documented({ summary, code }) {
  return code.replace(':\n', `:\n    """${summary}."""\n`);
}
