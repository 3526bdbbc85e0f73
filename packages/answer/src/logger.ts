/** Where diagnostics go; never standard output. Silent unless a face passes one in. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

const drop = (): void => {};

/** Says nothing. */
export const silentLogger: Logger = { debug: drop, info: drop, warn: drop, error: drop };
