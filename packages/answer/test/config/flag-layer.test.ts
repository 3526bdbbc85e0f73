import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../src/config/config-error.ts';
import { readFlagLayer } from '../../src/config/flag-layer.ts';
import { settings } from '../../src/config/settings.ts';

const switches = ['--stdio', '--help', '-h'];

function read(...argv: string[]) {
  const parsed = readFlagLayer(argv, switches);
  return {
    ...(parsed.configFile !== undefined && { configFile: parsed.configFile }),
    values: Object.fromEntries(parsed.assignments.map(({ path, value }) => [path, value])),
    issues: parsed.issues.map(describeIssue),
    switches: [...parsed.switches],
    words: parsed.words,
  };
}
const nothing = { values: {}, issues: [], switches: [], words: [] };

describe('readFlagLayer', () => {
  it.each([
    [['--stdio'], { switches: ['--stdio'] }],
    [['-h'], { switches: ['-h'] }],
    [['--config', 'a.yaml'], { configFile: 'a.yaml' }],
    [['--config=a=b.yaml'], { configFile: 'a=b.yaml' }],
    [['--timeout', '5'], { values: { 'request.timeout_ms': 5 } }],
    [['--timeout=5'], { values: { 'request.timeout_ms': 5 } }],
    [['--verify'], { values: { 'citations.fetch': true } }],
    [['--no-cache'], { values: { 'cache.enabled': false } }],
    [['--usage=false'], { values: { 'server.usage_on_exit': false } }],
    [['--set', 'openai.store=true'], { values: { 'openai.store': true } }],
    [
      ['--set', 'search.defaults.domains=a.com,b.com'],
      { values: { 'search.defaults.domains': ['a.com', 'b.com'] } },
    ],
    [['--set=policy.system.path=a=b'], { values: { 'policy.system.path': 'a=b' } }],
    [['--debug'], { values: { 'server.debug': true } }],
    [['--debug', 'f.log'], { values: { 'server.debug': true, 'server.debug_file': 'f.log' } }],
    [['--debug=f.log'], { values: { 'server.debug': true, 'server.debug_file': 'f.log' } }],
    [['--debug', '--stdio'], { values: { 'server.debug': true }, switches: ['--stdio'] }],
    [['ask', 'why', '--', '--stdio'], { words: ['ask', 'why', '--stdio'] }],
  ])('reads %j', (argv, expected) => {
    expect(read(...argv)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    [['--stido'], '--stido: unknown option; did you mean `--stdio`?'],
    [['--confg', 'x'], '--confg: unknown option; did you mean `--config`?'],
    [['--stdio=1'], '--stdio: unknown option; did you mean `--stdio`?'],
    [['--config'], '--config: expected a value, got none'],
    [
      ['--timeout', 'soon'],
      '--timeout: `request.timeout_ms`: expected a whole number from 1 to 2147483647, got `"soon"`',
    ],
    [
      ['--set', 'request.timeout=1'],
      '--set: `request.timeout`: unknown key; did you mean `request.timeout_ms`?',
    ],
    [['--set', 'request.timeout_ms'], '--set: `request.timeout_ms`: expected `key=value`'],
    [['--replay', 'recrod'], 'did you mean `record`?'],
  ])('refuses %j', (argv, message) => {
    expect(read(...argv).issues[0]).toContain(message);
  });

  it('has no two settings under one flag', () => {
    const flags = settings.flatMap(({ flag }) => flag ?? []);
    expect(new Set(flags).size).toBe(flags.length);
  });
});
