// Prints the figures of the redactor: both parts of its corpus, real prose, and time on hostile texts.
// docs/redaction.md holds the table of the last run.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as redactor from '../packages/wire/dist/redact.js';
import { isRight, readCorpus } from '../packages/wire/test/redact/corpus.mjs';

const showsMisses = process.argv.includes('--misses');
for (const name of ['written-with', 'held-out']) {
  console.log(`\n${name}`);
  const parts = Map.groupBy?.(readCorpus(name), ({ part }) => part) ?? groups(readCorpus(name));
  for (const [part, samples] of parts) {
    const wrong = samples.filter((sample) => !isRight(sample, redactor));
    const right = samples.length - wrong.length;
    const share = ((100 * right) / samples.length).toFixed(1);
    console.log(`  ${part.padEnd(18)} ${right} of ${samples.length} right (${share} %)`);
    if (showsMisses && (name !== 'held-out' || process.argv.includes('--held-out'))) {
      for (const { text } of wrong)
        console.log(`    ${text}\n     -> ${redactor.redactText(text)}`);
    }
  }
}

const data =
  process.env.REDACTOR_PROSE ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
if (existsSync(data)) {
  console.log('\nreal prose');
  for (const set of readdirSync(data)) prose(join(data, set), set);
} else console.log('\nreal prose: not measured; name a folder of texts in REDACTOR_PROSE');

console.log('\ntime per MiB, best of 15');
for (const [label, piece] of hostile()) {
  const whole = piece.repeat(Math.ceil(2 ** 20 / piece.length)).slice(0, 2 ** 20);
  // As a message arrives: one piece of memory.
  const text = JSON.parse(JSON.stringify(whole));
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 15; i++) {
    const start = performance.now();
    redactor.redactText(text);
    best = Math.min(best, performance.now() - start);
  }
  console.log(`  ${label.padEnd(28)} ${best.toFixed(1)} ms${best > 20 ? '  over 20' : ''}`);
}

function hostile() {
  const prose =
    'We met on Friday and talked about the token budget, the keys of the house and lunch. ';
  const pieces = [
    ...[
      'a',
      'a.',
      'a-',
      'a ',
      'eyJ',
      'eyJ.',
      'eyJabcdefghijk.',
      'eyJabcdefghijk-',
      'sk-',
      'sk-a1 ',
      'M.',
    ],
    ...[
      '-----BEGIN ',
      '-----BEGIN A ',
      '-----BEGIN PRIVATE KEY-----',
      'PuTTY-User-Key-File-2:',
      '://a',
      '://',
    ],
    ...[
      'password=',
      'password: ',
      'password is ',
      'password="',
      'pass',
      'key',
      'key ',
      'token=',
      'token=a1b2c3d4e5',
    ],
    ...[
      'api key ',
      'Bearer ',
      'Basic ',
      'Cookie: a=',
      'Cookie: ',
      'curl -u ',
      'curl ',
      'mysql ',
      'docker login ',
      'credentials ',
      'login ',
    ],
    ...[
      'a:',
      ':AA',
      '-us',
      '123456789:',
      'Q~',
      '.atlasv1.',
      '_mmk',
      '"',
      '\\',
      '\\n',
      '%3D',
      'password for a b c d ',
      '*',
      ' ',
      '\n',
      'é',
      '密码',
      'https://hooks.slack.com/services/',
    ],
    ...[
      'secret_',
      'SG.',
      'M-',
      'authorization: ',
      'IDENTIFIED BY ',
      'password=xxxxxxx',
      '{"token":"a1B2c3D4e5F6"},',
      'pw=a1b2c3 ',
      'pw="a1b2c3"',
      'pwd:a1b2c3,',
      'Bearer a1B2c3D4e5 ',
    ],
  ];
  return [['prose', prose], ...pieces.map((piece) => [JSON.stringify(piece), piece])];
}

function prose(folder, set) {
  let paragraphs = 0;
  const changed = [];
  for (const text of textsIn(folder)) {
    for (const paragraph of text.split(/\n\s*\n|\n/)) {
      if (paragraph.trim() === '') continue;
      paragraphs += 1;
      if (redactor.redactText(paragraph) !== paragraph) changed.push(paragraph);
    }
  }
  if (paragraphs === 0) return;
  console.log(`  ${set.padEnd(18)} ${changed.length} of ${paragraphs} paragraphs changed`);
  if (showsMisses)
    for (const each of changed.slice(0, 40))
      console.log(`    ${redactor.redactText(each).slice(0, 300)}`);
}

/** Every text of more than three words in the files of a folder. */
function* textsIn(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) yield* textsIn(join(path, name));
  } else if (/\.jsonl?$/.test(path)) {
    const content = readFileSync(path, 'utf8');
    const values = path.endsWith('l') ? content.split('\n').filter(Boolean) : [content];
    for (const value of values) yield* textsOf(JSON.parse(value));
  } else if (/\.(?:txt|md)$/.test(path)) yield readFileSync(path, 'utf8');
}

function* textsOf(value) {
  if (typeof value === 'string') {
    if (value.split(' ', 4).length > 3) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) yield* textsOf(member);
  }
}

function groups(samples) {
  const parts = new Map();
  for (const sample of samples) parts.set(sample.part, [...(parts.get(sample.part) ?? []), sample]);
  return parts;
}
