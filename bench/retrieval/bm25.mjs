/** A plain BM25 in memory: the yardstick, with the parameters measured best for short notes. */
const k1 = 0.9;
const b = 0.4;
const stopWords = new Set(
  `a about an and are as at be been but by can could did do does for from had has have he her him his how i if in
  into is it its me my of on or our she so that the their them they this to was we were what when where which who
  whom whose why will with would you your`.split(/\s+/),
);

/** Words without endings, parts of identifiers beside the whole, and ideographs by ones and twos. */
export function lexicalTerms(text) {
  const terms = [];
  for (const run of text
    .normalize('NFKC')
    .match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々]+|[\p{L}\p{N}_]+/gu) ?? []) {
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(run)) addGrams(run, terms);
    else addWord(run, terms);
  }
  return terms;
}

/** Indexes texts; `score` gives every text's BM25 and the ideal a text could reach. */
export function buildBm25(texts) {
  const postings = new Map();
  const lengths = texts.map((text, doc) => {
    const terms = lexicalTerms(text);
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map();
      if (counts.size === 0) postings.set(term, counts);
      counts.set(doc, (counts.get(doc) ?? 0) + 1);
    }
    return terms.length;
  });
  const mean = lengths.reduce((sum, x) => sum + x, 0) / Math.max(1, texts.length);
  const idf = (term) => {
    const n = postings.get(term)?.size ?? 0;
    return Math.log(1 + (texts.length - n + 0.5) / (n + 0.5));
  };
  return {
    score(query) {
      const scores = new Array(texts.length).fill(0);
      let ideal = 0;
      for (const term of new Set(lexicalTerms(query))) {
        const weight = idf(term);
        ideal += weight;
        for (const [doc, tf] of postings.get(term) ?? []) {
          scores[doc] += (weight * tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * lengths[doc]) / mean));
        }
      }
      return { scores, ideal };
    },
  };
}

function addWord(run, terms) {
  const whole = run.toLowerCase();
  const parts = run
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[_\s]+/);
  for (const part of parts) if (part !== '' && !stopWords.has(part)) terms.push(stem(part));
  if (parts.length > 1) terms.push(whole);
}

/** Pairs of one script or across scripts; a lone kana says nothing. */
function addGrams(run, terms) {
  const chars = [...run];
  for (let i = 0; i < chars.length; i++) {
    if (/\p{sc=Han}/u.test(chars[i]) || chars.length === 1) terms.push(chars[i]);
    if (i + 1 < chars.length) terms.push(chars[i] + chars[i + 1]);
  }
}

function stem(word) {
  if (word.length <= 3) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ing|ed|es|s|ly|e)$/, (ending) => (word.length - ending.length >= 3 ? '' : ending));
}
