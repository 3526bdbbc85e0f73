import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const FOLDER = resolve(import.meta.dirname, '../../.github');
const scripts = Object.keys(
  (JSON.parse(readFileSync(`${FOLDER}/../package.json`, 'utf8')) as { scripts: object }).scripts,
);

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

describe.each(readdirSync(`${FOLDER}/workflows`))('workflow %s', (name) => {
  const workflow = parse(readFileSync(`${FOLDER}/workflows/${name}`, 'utf8')) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('may only read by default, and pins actions by hash', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('runs npm scripts that exist', () => {
    const run = steps.flatMap(({ run: line = '' }) => line.match(/npm (?:run )?[\w:]+/g) ?? []);
    const names = run.map((line) => line.replace(/^npm (?:run )?/, ''));
    const own = names.filter((each) => each !== 'publish');
    expect(own.filter((each) => !scripts.includes(each))).toEqual([]);
  });
});

it.each(['bug', 'feature'])('issue form %s has fields', (name) => {
  const form = parse(readFileSync(`${FOLDER}/ISSUE_TEMPLATE/${name}.yml`, 'utf8')) as {
    body: readonly { type: string; id?: string; attributes: { label: string } }[];
  };
  expect(form.body.length).toBeGreaterThan(1);
  for (const field of form.body) expect(field.attributes.label).not.toBe('');
});
