import { nearestName } from 'tincan-wire';
import { type ConfigIssue, quoteValue } from './config-error.ts';
import type { Setting } from './settings.ts';

/** Who gave a value its say. */
export type Origin =
  | { readonly from: 'default' }
  | { readonly from: 'file'; readonly file: string; readonly line: number }
  | { readonly from: 'variable'; readonly name: string }
  | { readonly from: 'flag'; readonly name: string };

/** A value for one setting, with its origin. */
export interface Assignment {
  readonly path: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** What one layer of configuration (file, variables, flags) has to say. */
export interface Layer {
  readonly assignments: readonly Assignment[];
  readonly issues: readonly ConfigIssue[];
}

/** The issue of a value that a setting does not accept. */
export function badValue(
  setting: Setting,
  value: unknown,
  place: Pick<ConfigIssue, 'where' | 'line'>,
): ConfigIssue {
  const near =
    typeof value === 'string' ? nearestName(value, setting.expects.choices ?? []) : undefined;
  return {
    ...place,
    key: setting.path,
    problem: `expected ${setting.expects.phrase}, got ${quoteValue(value)}`,
    ...(near !== undefined && { nearest: near }),
  };
}
