#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { loadSettings } from './config/load-settings.ts';
import { serveMemory } from './faces/serve.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    transport: { type: 'string', short: 't' },
    host: { type: 'string' },
    port: { type: 'string', short: 'p' },
    config: { type: 'string', short: 'c' },
  },
});
try {
  await serveMemory(await loadSettings({ env: process.env, configPath: values.config }), {
    transport: values.transport as 'stdio' | 'http' | undefined,
    host: values.host,
    port: values.port === undefined ? undefined : Number(values.port),
    onListening: (url) => process.stderr.write(`listening on ${url}\n`),
  });
} catch (error) {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
