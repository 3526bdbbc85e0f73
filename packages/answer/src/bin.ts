#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runAnswerCli } from './faces/cli.ts';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };

void runAnswerCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  version,
  self: [process.execPath, fileURLToPath(import.meta.url)],
  // At once: loading the asynchronous functions takes longer than the file.
  readFile: async (path) => readFileSync(path, 'utf8'),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interrupted: () => new Promise((resolve) => process.once('SIGINT', resolve)),
}).then((exitCode) => {
  process.exitCode = exitCode;
});
