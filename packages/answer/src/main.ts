import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { runAnswerCli } from './faces/cli.ts';
import { VERSION } from './version.ts';

void runAnswerCli(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  version: VERSION,
  self: [process.execPath, ...process.argv.slice(1, 2)],
  // At once: loading the asynchronous functions takes longer than the file.
  readFile: async (path) => readFileSync(path, 'utf8'),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interrupted: () => new Promise((resolve) => process.once('SIGINT', resolve)),
}).then((exitCode) => {
  process.exitCode = exitCode;
});
