import type { Check } from './check.ts';
import { type Finding, fail, pass } from './finding.ts';
import type { Patient } from './patient.ts';

/** What all runs together show; looked at when every other check has run. */
export const overallChecks: readonly Check[] = [
  { name: 'stdout', title: 'nothing but messages on stdout', run: stdout },
  { name: 'one-line', title: 'no newline inside a message', run: oneLine },
  { name: 'envelope', title: 'shape of messages', run: envelope },
  { name: 'answered-once', title: 'one answer to each request', run: answeredOnce },
];

async function stdout({ runs }: Patient): Promise<Finding> {
  const strays = runs.flatMap((run) => run.strays);
  const [first] = strays;
  if (first === undefined) return pass('clean');
  return fail(
    `other output: \`${first.slice(0, 80)}\``,
    'stdout is the protocol: log to stderr, and keep libraries and child processes off stdout',
  );
}

async function oneLine({ runs }: Patient): Promise<Finding> {
  const bad = runs
    .flatMap((run) => run.messages)
    .find(({ text, framing }) => framing === 'line' && text.includes('\n'));
  if (bad === undefined) return pass('one message per line');
  return fail('messages span several lines', 'write JSON without indentation');
}

async function envelope({ runs }: Patient): Promise<Finding> {
  for (const { value } of runs.flatMap((run) => run.messages)) {
    const problem = problemOf(value);
    if (problem !== undefined) {
      return fail(
        `${problem}: ${JSON.stringify(value).slice(0, 100)}`,
        'every message has `jsonrpc: "2.0"`; an answer has an id and either a result or an error with code and message',
      );
    }
  }
  return pass('as JSON-RPC wants it');
}

function problemOf(value: Readonly<Record<string, unknown>>): string | undefined {
  if (value['jsonrpc'] !== '2.0') return 'no `jsonrpc: "2.0"`';
  if (value['method'] !== undefined) return undefined;
  if (!('id' in value)) return 'an answer without an id';
  if ('result' in value && 'error' in value) return 'both a result and an error';
  if ('result' in value) return undefined;
  if (!('error' in value)) return 'neither a result nor an error';
  const { code, message } = Object(value['error']) as { code?: unknown; message?: unknown };
  if (!Number.isInteger(code)) return 'an error whose code is no whole number';
  return typeof message === 'string' ? undefined : 'an error without a message';
}

async function answeredOnce({ runs }: Patient): Promise<Finding> {
  for (const run of runs) {
    const answers = run.messages
      .map(({ value }) => value)
      .filter((value) => value['method'] === undefined);
    for (const { id } of answers) {
      if (id === null || id === undefined || !run.asked.includes(id)) continue;
      if (answers.filter((other) => other['id'] === id).length > 1) {
        return fail(
          `request ${JSON.stringify(id)} was answered more than once`,
          'answer each request once',
        );
      }
    }
  }
  return pass('no request was answered twice');
}
