#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { resolve } = require('node:path');

const program = resolve(__dirname, '../dist/program/main.cjs');
if (existsSync(program)) {
  require(program);
} else {
  const clone = resolve(__dirname, '../../..');
  console.error(`tincan-answer is not built yet: run \`npm run build\` in ${clone}`);
  process.exitCode = 1;
}
