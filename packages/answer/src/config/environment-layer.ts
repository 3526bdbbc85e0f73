import { type Assignment, badValue, type Layer } from './assignment.ts';
import type { ConfigIssue } from './config-error.ts';
import { settings, variableFor } from './settings.ts';

/** The environment as handed in by the program; nothing here reads the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables. A value that is not accepted is left out and reported, not fatal: the
 * compatible names are generic, so another program's setting must not keep this one from starting.
 */
export function readEnvironmentLayer(env: Environment): Layer {
  const assignments: Assignment[] = [...debugAssignments(env['DEBUG'])];
  const issues: ConfigIssue[] = [];
  for (const setting of settings) {
    // Our own name comes last, so it wins over the compatible one.
    for (const name of [setting.variable, variableFor(setting.path)]) {
      const raw = name === undefined ? undefined : env[name];
      if (name === undefined || raw === undefined || raw.trim() === '') continue;
      const value = setting.expects.fromText(raw);
      if (setting.expects.accepts(value)) {
        assignments.push({ path: setting.path, value, origin: { from: 'variable', name } });
      } else {
        issues.push(badValue(setting, raw, { where: name }));
      }
    }
  }
  return { assignments, issues };
}

// `DEBUG` belongs to many programs: only a plain yes or no, or what is plainly a file, is for us.
function debugAssignments(raw: string | undefined): readonly Assignment[] {
  const word = raw?.trim() ?? '';
  const origin = { from: 'variable', name: 'DEBUG' } as const;
  if (word === '') return [];
  if (/^(0|false|off|no)$/i.test(word)) return [{ path: 'server.debug', value: false, origin }];
  if (/^(1|true|on|yes)$/i.test(word)) return [{ path: 'server.debug', value: true, origin }];
  if (!looksLikeFile(word)) return [];
  return [
    { path: 'server.debug', value: true, origin },
    { path: 'server.debug_file', value: word, origin },
  ];
}

function looksLikeFile(word: string): boolean {
  return !/[*,]/.test(word) && /[\\/]|\.\w+$/.test(word);
}
