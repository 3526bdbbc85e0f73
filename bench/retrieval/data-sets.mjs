/**
 * Data sets as lists of collections, one project each: `units` are what is searched, `queries` know the keys
 * of what answers them. A unit may stand for several keys, and a key may have several units.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function readJson(path) {
  if (!existsSync(path)) {
    console.error(`expected a file \`${path}\`: name the folder of the data set by \`--data\``);
    process.exit(2);
  }
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Dialog turns of each conversation; the text of a turn is as the data set's authors define it. */
export function locomoDialog(folder) {
  return readConversations(folder, ({ conversation }) =>
    sessionsOf(conversation).flatMap(({ name, time, turns }) =>
      turns.map(({ speaker, text, dia_id, blip_caption }, i) => ({
        text: `${speaker} said, "${text}"${blip_caption ? ` and shared ${blip_caption}` : ''}`,
        keys: [dia_id],
        groupId: name,
        createdAt: at(time, i),
      })),
    ),
  );
}

/** Observations: statements about a speaker with the turns they rest on. */
export function locomoObservations(folder) {
  return readConversations(folder, ({ conversation, observation }) =>
    sessionsOf(conversation).flatMap(({ name, time }) =>
      Object.values(observation[`${name}_observation`] ?? {})
        .flat()
        .map(([text, ids], i) => ({
          text,
          keys: [ids].flat(),
          groupId: name,
          createdAt: at(time, i),
        })),
    ),
  );
}

/** Japanese paragraphs, each the answer to some questions. */
export function jsquad(folder) {
  const paragraphs = readJson(join(folder, 'valid-v1.3.json')).data.flatMap((d) => d.paragraphs);
  return [
    {
      units: paragraphs.map(({ context }, i) => ({ text: context, keys: [i] })),
      queries: paragraphs.flatMap(({ qas }, i) =>
        qas.map(({ question }) => ({ text: question, keys: [i] })),
      ),
    },
  ];
}

/** Python functions and the web queries they answer. */
export function cosqa(folder) {
  const codes = readJson(join(folder, 'code_idx_map.txt'));
  const queries = readJson(join(folder, 'cosqa-retrieval-dev-500.json'));
  return [
    {
      units: Object.entries(codes).map(([text, id]) => ({ text, keys: [id] })),
      queries: queries.map(({ doc, retrieval_idx }) => ({ text: doc, keys: [retrieval_idx] })),
    },
  ];
}

/** Our own Japanese notes; `field` chooses the paraphrased or the English questions. */
export function japaneseNotes(field) {
  const notes = readJson(new URL('./data/ja-notes.json', import.meta.url));
  return [
    {
      units: notes.map(({ note }, i) => ({ text: note, keys: [i] })),
      queries: notes.map((note, i) => ({ text: note[field], keys: [i] })),
    },
  ];
}

function readConversations(folder, unitsOf) {
  return readJson(join(folder, 'locomo-dev.json')).map((conversation) => ({
    units: unitsOf(conversation),
    queries: conversation.qa.map(({ question, evidence = [] }) => ({
      text: question,
      keys: evidence,
    })),
  }));
}

function sessionsOf(conversation) {
  return Object.keys(conversation)
    .filter((name) => /^session_\d+$/.test(name))
    .map((name) => ({
      name,
      time: parseTime(conversation[`${name}_date_time`]),
      turns: conversation[name],
    }));
}

/** `1:56 pm on 8 May, 2023` */
function parseTime(text) {
  const [, clock, date] = /^(.+?) on (.+)$/.exec(text) ?? [];
  return Date.parse(`${date.replace(',', '')} ${clock} UTC`);
}

/** Turns have no time of their own: they follow one another by the minute. */
function at(time, turn) {
  return new Date(time + turn * 60_000).toISOString();
}
