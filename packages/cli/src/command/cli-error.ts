/** Exit codes of every verb. */
export const ExitCode = {
  Ok: 0,
  /** The server answered with an error, or something differs or fails a check. */
  Failed: 1,
  Usage: 2,
  /** Something could not be started, read or written, or broke on the way. */
  Broken: 3,
} as const;

/** A problem a person can do something about: its message is printed as it is, without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: 'USAGE' | 'BROKEN';

  constructor(code: 'USAGE' | 'BROKEN', message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get exitCode(): number {
    return this.code === 'USAGE' ? ExitCode.Usage : ExitCode.Broken;
  }
}

/** A mistake in how the command was called. */
export function usageError(message: string): CliError {
  return new CliError('USAGE', message);
}
