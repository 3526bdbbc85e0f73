import { MemoryError } from '../errors.ts';
import { RpcError } from '../rpc-error.ts';
import type { Call } from './call.ts';

/** Reports a missing SQLite driver on stderr, once: clients show a server as connected although no call can work. */
export class DriverWarning {
  readonly #write: (line: string) => void;
  #isWritten = false;

  constructor(write: (line: string) => void = (line) => process.stderr.write(line)) {
    this.#write = write;
  }

  /** Looks for a driver, whether or not anything was called. */
  async check(): Promise<void> {
    const { loadDriver } = await import('../store/sqlite/driver.ts');
    try {
      loadDriver();
    } catch (error) {
      this.#report(error);
    }
  }

  /** The same calls; one that fails for want of a driver is reported as well. */
  around(call: Call): Call {
    return async (...args) => {
      try {
        return await call(...args);
      } catch (error) {
        this.#report(error instanceof RpcError ? error.cause : error);
        throw error;
      }
    };
  }

  #report(error: unknown): void {
    if (this.#isWritten || !(error instanceof MemoryError)) return;
    if (error.code !== 'DRIVER_MISSING') return;
    this.#isWritten = true;
    this.#write(`tincan-memory: ${error.message}\n`);
  }
}
