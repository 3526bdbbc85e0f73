/**
 * Notes of our own making with known answers, any number of them, the same for the same number: facts about
 * named things in English and Japanese, identifiers, and questions asked in the note's words, in other words,
 * across languages, and about what no note says.
 */
import { ENGLISH, IDENTIFIERS, JAPANESE, OFF_TOPIC, UNRECORDED } from './made-texts.mjs';

/** Shares of the notes: the rest is English prose. */
const JAPANESE_SHARE = 0.2;
const IDENTIFIER_SHARE = 0.15;

/** Makes `count` notes, `asked` questions of each kind that has an answer and of each that has none. */
export function makeNotes(count, { asked = 100, seed = 7 } = {}) {
  const random = randomFrom(seed);
  const japanese = Math.floor(count * JAPANESE_SHARE);
  const identifiers = Math.floor(count * IDENTIFIER_SHARE);
  const english = count - japanese - identifiers;
  const parts = {
    english: facts(ENGLISH, english, random),
    identifier: facts(IDENTIFIERS, identifiers, random),
    japanese: facts(JAPANESE, japanese, random),
  };
  const notes = shuffled(Object.values(parts).flat(), random);
  const ask = (kind, part, field) =>
    pick(parts[part], asked, random).map(({ id, questions }) => ({
      kind,
      text: questions[field],
      answer: id,
    }));
  return {
    notes: notes.map(({ id, text }) => ({ id, text })),
    questions: [
      ...ask('same words', 'english', 'direct'),
      ...ask('other words', 'english', 'paraphrase'),
      ...ask('identifiers', 'identifier', 'direct'),
      ...ask('Japanese, same words', 'japanese', 'direct'),
      ...ask('Japanese, other words', 'japanese', 'paraphrase'),
      ...ask('English for Japanese', 'japanese', 'english'),
      ...inVain('no such thing', nameless(ENGLISH), asked, random),
      ...inVain('no such thing, Japanese', nameless(JAPANESE), asked, random),
      ...inVain('nothing of the kind', () => pick(OFF_TOPIC, 1, random)[0], asked, random),
      ...inVain('not recorded', unrecorded(parts.english, random), asked, random),
    ],
  };
}

/** Distinct pairs of a thing and a topic, each a note with its questions. */
function facts({ names, topics }, count, random) {
  const order = shuffled(names, random);
  return Array.from({ length: count }, (_, i) => {
    const thing = Math.floor(i / topics.length);
    // Once all names are used up they come again with a number.
    const round = Math.floor(thing / order.length);
    const name = `${order[thing % order.length]}${round === 0 ? '' : ` ${round + 1}`}`;
    return fact({ name, topic: topics[i % topics.length], random });
  });
}

function fact({ name, topic, random }) {
  const values = topic.values.map((choices) => choices[Math.floor(random() * choices.length)]);
  const fill = (template) =>
    template.replaceAll('{e}', name).replace(/\{(\d)\}/g, (_, i) => values[Number(i)]);
  const { note, ...questions } = topic.texts;
  return {
    name,
    id: uuidFrom(`${topic.texts.note}|${name}`),
    text: fill(note),
    questions: Object.fromEntries(Object.entries(questions).map(([key, t]) => [key, fill(t)])),
  };
}

/** Things that no note names, asked for what notes say of others. */
function nameless({ unknown, topics }) {
  return (random) => {
    const topic = topics[Math.floor(random() * topics.length)];
    const name = unknown[Math.floor(random() * unknown.length)];
    const asked = random() < 0.5 ? topic.texts.direct : topic.texts.paraphrase;
    return asked.replaceAll('{e}', name).replace(/\{\d\}/g, '');
  };
}

/** Things that are there, asked for what no note says of anything. */
function unrecorded(notes, random) {
  return () => pick(UNRECORDED, 1, random)[0].replaceAll('{e}', pick(notes, 1, random)[0].name);
}

function inVain(kind, make, count, random) {
  return Array.from({ length: count }, () => ({ kind, text: make(random), answer: undefined }));
}

function pick(list, count, random) {
  if (count === 1) return [list[Math.floor(random() * list.length)]];
  return shuffled(list, random).slice(0, count);
}

function shuffled(list, random) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A UUID that a text has for ever. */
function uuidFrom(text) {
  let [a, b, c, d] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + i), 0x01000193) + a;
    c = Math.imul(c ^ (unit + 7 * i), 0x01000193) + b;
    d = Math.imul(d ^ (unit + 13), 0x01000193) + c;
  }
  const hex = [a, b, c, d].map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
