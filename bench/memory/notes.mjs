// Notes whose words fall in frequency as those of a language do; the same ones in every run.

const VOCABULARY = 50_000;
let seed = 7;

function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

/** Zipf: the word of rank r comes with a frequency of 1/r. */
function makeWord() {
  const rank = Math.floor(VOCABULARY ** random());
  return `${'bcdfghjklmnprstvz'[rank % 17]}${'aeiou'[rank % 5]}${rank.toString(36)}`;
}

export function makeText(words) {
  return Array.from({ length: words }, makeWord).join(' ');
}

export function makeNote() {
  return {
    title: makeText(5),
    text: makeText(40),
    groupId: `g${Math.floor(random() * 20)}`,
    tags: [`t${Math.floor(random() * 10)}`],
  };
}

/** Words that stand next to each other in a note, which the plainest search finds too. */
export function makeQuery({ text }) {
  const words = text.split(' ');
  const at = Math.floor(random() * (words.length - 3));
  return words.slice(at, at + 3).join(' ');
}
