// Draws the picture of the README: runs the commands below for real, in a pseudo-terminal and an empty home, and writes
// what a person sees as docs/pictures/memory.svg.
//
//   npm run picture

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'packages/memory/bin/tincan-memory.js');
const SCENES = [
  { line: 'tincan-memory add "Deploys go out on Tuesdays, never on Fridays"', isQuiet: true },
  { line: 'tincan-memory add "The API pages by cursor, not by offset" --tags api', isQuiet: true },
  {
    line: 'tincan-memory add "Ask the billing team before changing the invoices table"',
    isQuiet: true,
  },
  { line: 'tincan-memory search -k 1 "when do we release?"' },
  { line: 'tincan-memory search -k 1 "how do we page through results?"' },
];
const ESCAPE = '\u001B';
const STYLE = new RegExp(`(${ESCAPE}\\[\\d*m)`, 'g');
const ROW = 22;
const COLUMN = 8.43;
const COLOURS = {
  1: 'font-weight="bold"',
  2: 'opacity="0.6"',
  32: 'fill="#7ee787"',
  36: 'fill="#79c0ff"',
};

const folder = mkdtempSync(join(tmpdir(), 'tincan-picture-'));
try {
  const rows = SCENES.flatMap(({ line, isQuiet = false }) => {
    const shown = run(line.replace('tincan-memory', `node ${PROGRAM}`));
    return [`\u001B[32m$\u001B[0m ${line}`, ...(isQuiet ? [] : shown)];
  });
  mkdirSync(join(ROOT, 'docs/pictures'), { recursive: true });
  writeFileSync(join(ROOT, 'docs/pictures/memory.svg'), draw(rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(line) {
  const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TINCAN_HOME: join(folder, 'home'), TERM: 'xterm', COLUMNS: '80' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${line} failed: ${stdout}`);
  return stdout.trimEnd().split(/\r?\n/);
}

function draw(rows) {
  const plain = rows.map((row) => row.replace(STYLE, ''));
  const width = Math.ceil(Math.max(...plain.map((row) => row.length)) * COLUMN + 48);
  const height = rows.length * ROW + 56;
  const title = 'Three notes are saved, then found by questions in other words.';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" rx="10" fill="#161b22"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${colour}"/>`,
    ),
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3" xml:space="preserve">',
    ...rows.map((row, index) => `<text x="24" y="${56 + index * ROW}">${spans(row)}</text>`),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Text with its colours as SVG. */
function spans(row) {
  let style = '';
  return row
    .split(STYLE)
    .map((part) => {
      if (part.startsWith(ESCAPE)) {
        const code = part.slice(2, -1);
        style = COLOURS[code] ?? '';
        return '';
      }
      const text = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return text === '' ? '' : `<tspan ${style}>${text}</tspan>`.replace(' >', '>');
    })
    .join('');
}
