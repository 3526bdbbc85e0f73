/**
 * Pairs of our own, note and question, for the contrastive step: the same thing said in two ways, so
 * that the table learns which words decide and which only carry the sentence.
 */
import { readFileSync } from 'node:fs';

const names =
  `Alice Ben Carla David Emma Felix Grace Henry Iris Jack Karen Leo Maria Nathan Olivia Paul Rosa Sam Tara
  Victor Wendy Yuki Zoe Andrew Bella Chris Diana Ethan Fiona George Hannah Ivan Julia Kevin Laura Mark Nina Oscar Peter
  Rachel Steve Tim Vera Will Anna Brian Chloe Daniel Eva Frank Gina Hugo Jenny Kate Lucas Mia Noah`.split(
    /\s+/,
  );

/** Past tense, base form, another way to ask. */
const deeds =
  rows(`bought|buy|purchase;adopted|adopt|take in;lost|lose|misplace;found|find|discover;repaired|repair|fix;
  sold|sell|get rid of;visited|visit|go to see;finished|finish|complete;started|start|begin;cancelled|cancel|call off;
  planned|plan|organise;painted|paint|draw;cooked|cook|prepare;broke|break|damage;borrowed|borrow|lend from somebody;
  won|win|come first in;missed|miss|be too late for;enjoyed|enjoy|like;quit|quit|give up;built|build|construct;
  wrote|write|author;watched|watch|see;cleaned|clean|tidy up;ordered|order|request;received|receive|get;
  recommended|recommend|suggest;celebrated|celebrate|have a party for;photographed|photograph|take a picture of`);

/** A thing, and what somebody who does not remember the word would call it. */
const things =
  rows(`a puppy|a young dog;a kitten|a pet cat;a mountain bike|a bicycle;a sedan|a car;a violin|a string instrument;
  a novel|a book;a casserole|a dish for dinner;an apartment|a place to live;the marathon|a running race;a lawn mower|a garden tool;
  a laptop|a computer;a smartphone|a mobile phone;the wedding|a marriage ceremony;a necklace|jewellery;sneakers|shoes;
  a raincoat|clothes for bad weather;the dentist appointment|a visit for teeth;a physician|a doctor;a cottage by the sea|a holiday home;
  a tent|camping equipment;a kayak|a small boat;a train ticket|a railway fare;roses|flowers;an oak tree|a plant;tomatoes|vegetables;
  a salary raise|more money at work;a job at a bank|employment in finance;a language course in Spanish|lessons in a foreign tongue;
  a scarf|something knitted;a landscape in oil|a painting;a documentary about whales|a film on sea animals;a jazz concert|a music performance;
  a chess tournament|a board game contest;a yoga class|exercise for body and mind;a knee injury|a health problem;the flu|an illness;
  a passport|travel documents;a suitcase|luggage;a birthday cake|a sweet for a party;a charity dinner|a fundraising event;
  a sculpture|a work of art;a telescope|a device to look at stars;a baby girl|a newborn child;the landlord|the owner of the flat;
  a scholarship|financial help for studies;a thesis|a university paper;a tattoo|ink on the skin;a motorcycle|a vehicle with two wheels;
  a bakery|a shop for bread;a startup|a new company`);

const times =
  'yesterday|last week|two days ago|in March|last summer|on Friday|in 2021|this morning|a month ago|last weekend'.split(
    '|',
  );
const remarks =
  'It was amazing.|I am still tired.|What about you?|Thanks for asking!|You would love it.|It took ages.|I am so proud.|Long story.|How are you doing?|'.split(
    '|',
  );

const services =
  rows(`payment service|billing;login page|authentication;search index|full text lookup;build pipeline|continuous integration;
  mobile app|phone client;web server|HTTP backend;message queue|event broker;database|data store;test suite|automated checks;
  deployment script|release tooling;email worker|mail sender;image resizer|picture scaling;scheduler|cron jobs;admin panel|management console;
  cache|temporary storage;documentation site|manual pages`);
const faults =
  rows(`runs out of memory|uses too much RAM;deadlocks under load|hangs when busy;times out|takes too long to answer;
  returns stale data|shows old values;loses messages|drops events;crashes at start-up|dies when launched;rejects valid tokens|refuses to let users in;
  fills the disk|leaves no free space;sends duplicates|delivers the same thing twice;breaks on unicode|cannot handle special characters;
  is slow|has bad performance;fails on Windows|does not work on Microsoft systems`);
const rules =
  rows(`never commit secrets|passwords in the repository;run the tests before pushing|verification ahead of upload;
  use tabs for indentation|code formatting style;write timestamps in UTC|which time zone to use;ask before deleting data|permission to remove records;
  deploy only on weekdays|days on which we release;rotate keys every month|how often credentials change;retry failed requests three times|what to do when a call fails;
  pin every dependency|exact versions of libraries;log to stderr|where diagnostics go;keep pull requests small|size of a code change;
  squash commits before merging|history of a branch;back up the database nightly|copies of the data;review every migration|checking schema changes`);
const tastes =
  rows(`drinks green tea in the morning|favourite beverage;is allergic to peanuts|food to avoid;prefers dark mode|colour of the interface;
  works as a nurse|occupation;speaks Spanish and Korean|languages known;was born in a village near the coast|birthplace;hates loud noise|annoying sounds;
  goes jogging before sunrise|sports routine;plays the cello in an orchestra|musical instrument;does not eat meat|vegetarian diet;is afraid of heights|phobia;
  wants to become a pilot|career goal;collects old coins|hobby;has two brothers|siblings;lives on the third floor|home;sleeps badly|insomnia;
  volunteers at an animal shelter|helping others for free;studies marine biology|subject at university;saves money for a house|financial goal;wears glasses|eyesight`);

const code = readFileSync(new URL('./code-pairs.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const bar = line.indexOf('|');
    return [line.slice(0, bar), line.slice(bar + 1)];
  });

/** Groups of `count` pairs each: `query` asks for `note`; what shares a `key` says the same. */
export function ownPairs(count, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const makers = [deedPair, tastePair, servicePair, rulePair, codePair];
  return makers.map((make) => Array.from({ length: count }, () => make()));

  function deedPair() {
    const [past, base, other] = pick(deeds);
    const [thing, paraphrase] = pick(things);
    const name = pick(names);
    const verb = pick([base, other]);
    const object = pick([thing, paraphrase, paraphrase]);
    const query = pick([
      `When did ${name} ${verb} ${object}?`,
      `What did ${name} say about ${object}?`,
      `Why did ${name} ${verb} ${object}?`,
      `Did ${name} ${verb} ${object}?`,
      `${verb} ${object}`,
      `${name} and ${object}`,
    ]);
    const note = pick([
      `${name} said, "I ${past} ${thing} ${pick(times)}. ${pick(remarks)}"`,
      `${name} said, "${pick(remarks)} By the way, we ${past} ${thing}."`,
      `${name} ${past} ${thing} ${pick(times)}.`,
    ]);
    return { key: thing, query, note };
  }

  function tastePair() {
    const [fact, topic] = pick(tastes);
    const name = pick(names);
    const query = pick([
      `What is ${name}'s ${topic}?`,
      `${topic} of ${name}`,
      `Tell me about the ${topic} of ${name}`,
    ]);
    return { key: `${name} ${fact}`, query, note: `${name} ${fact}.` };
  }

  function servicePair() {
    const [service, alias] = pick(services);
    const [fault, symptom] = pick(faults);
    const query = pick([
      `why the ${pick([service, alias])} ${symptom}`,
      `${alias} ${symptom}`,
      `problem: ${pick([service, alias])} ${symptom}`,
    ]);
    const opening = pick(['We noticed that the', 'The', 'Bug: the']);
    const ending = pick(['', ' since the last release', ' in production']);
    return { key: `${service} ${fault}`, query, note: `${opening} ${service} ${fault}${ending}.` };
  }

  function rulePair() {
    const [rule, topic] = pick(rules);
    const [service] = pick(services);
    const query = pick([`what is our rule on ${topic}`, topic, `${topic} for the ${service}`]);
    const note = pick([
      `Always ${rule}.`,
      `Decision for the ${service}: ${rule}.`,
      `We agreed to ${rule}.`,
    ]);
    return { key: rule, query, note };
  }

  function codePair() {
    const [task, body] = pick(code);
    const query = pick([
      `python ${task}`,
      `how to ${task} in python`,
      task,
      `python function to ${task}`,
    ]);
    return { key: task, query, note: body };
  }
}

function rows(text) {
  return text.split(';').map((row) => row.trim().split('|'));
}
