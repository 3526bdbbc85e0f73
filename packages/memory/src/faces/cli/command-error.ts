/** Exit codes of every command. */
export const ExitCode = {
  Ok: 0,
  /** The memory said no: not found, a record refused, a check failed. */
  Failed: 1,
  Usage: 2,
  /** Configuration, store or embedder could not be used. */
  Broken: 3,
  Interrupted: 130,
} as const;

/** A problem a person can do something about: its message is printed as it is, without a stack. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
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
export function usageError(message: string): CommandError {
  return new CommandError('USAGE', message);
}
