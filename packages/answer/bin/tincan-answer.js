#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { resolve } = require('node:path');

const program = resolve(__dirname, '../dist/program');
if (existsSync(program)) {
  require(`${program}/compile-cache.cjs`).enableCompileCache();
  require(`${program}/main.cjs`);
} else {
  const clone = resolve(__dirname, '../../..');
  process.stderr.write(`tincan-answer is not built yet: run \`npm run build\` in ${clone}\n`);
  process.exitCode = 1;
}
