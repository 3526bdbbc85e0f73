import { readFileSync, writeSync } from 'node:fs';

const BURST = 256;

// The driver asks for the server's own figures with a signal and reads them from a descriptor of
// their own, so that asking costs the wire nothing and works for a server that knows bytes alone.
process.on('SIGUSR2', () => writeSync(3, `${JSON.stringify(usage())}\n`));

/** CPU time in microseconds and peak resident memory in bytes of this process. */
export function usage() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuUs: userCPUTime + systemCPUTime, peakBytes: peakOfThisProgram() ?? maxRSS * 1024 };
}

/**
 * What every server does, whatever carries it: `echo`, `note` (counted), `count`, and `flood`.
 *
 * @param {object} wire
 * @param {(method: string, params: object) => void} wire.notify
 * @param {() => Promise<unknown>} wire.drained settles when more may be sent
 */
export function createService({ notify, drained }) {
  let notes = 0;
  return {
    echo: (params) => params,
    note: () => {
      notes += 1;
    },
    count: () => ({ notes }),
    async flood({ ms, least = 0 }) {
      const end = performance.now() + ms;
      let sent = 0;
      while (performance.now() < end || sent < least) {
        for (let i = 0; i < BURST; i += 1) notify('tick', { sequence: sent + i, text: 'tick' });
        sent += BURST;
        await drained();
      }
      return { sent };
    },
  };
}

/** `maxRSS` counts the parent's memory at the fork; the kernel keeps the program's own peak here. */
function peakOfThisProgram() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kilobytes && Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
