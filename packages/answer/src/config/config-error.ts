/** One thing wrong with the configuration, and where. */
export interface ConfigIssue {
  /** File, variable or flag that said it. */
  readonly where: string;
  readonly line?: number;
  readonly key?: string;
  readonly problem: string;
  /** What the person probably meant. */
  readonly nearest?: string;
}

/** The configuration cannot be used; `issues` holds everything that is wrong, not only the first. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly code = 'CONFIG';
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[], options?: ErrorOptions) {
    super(issues.map(describeIssue).join('\n'), options);
    this.issues = issues;
  }
}

/** The issue as one line a person can act on. */
export function describeIssue({ where, line, key, problem, nearest }: ConfigIssue): string {
  const place = line === undefined ? where : `${where}:${line}`;
  const subject = key === undefined ? '' : `\`${key}\`: `;
  const hint = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
  return `${place}: ${subject}${problem}${hint}`;
}

/** A value as it should be quoted in a message: short, and on one line. */
export function quoteValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'none';
  return `\`${json.length > 60 ? `${json.slice(0, 57)}…` : json}\``;
}
