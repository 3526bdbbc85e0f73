#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runAnswerCli } from './faces/cli.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

process.exitCode = await runAnswerCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  version,
  self: [process.execPath, fileURLToPath(import.meta.url)],
  readFile: (path) => readFile(path, 'utf8'),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interrupted: () => new Promise((resolve) => process.once('SIGINT', resolve)),
});
