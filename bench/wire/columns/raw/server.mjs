import { createService } from '../../server-side.mjs';
import { tick } from './tick.mjs';

// Bytes alone, no JSON: everything comes back as it came, except a chunk that ends in a zero byte.
// `<ms>` before the zero asks for a flood, nothing before it for the number of bytes swallowed.
const [mode = 'echo'] = process.argv.slice(2);
const { stdin, stdout } = process;
const burst = Buffer.concat(Array(256).fill(tick));
let ticks = 0;
let swallowed = 0;

const { flood } = createService({
  notify: () => {
    ticks += 1;
  },
  drained: () => {
    const more = stdout.write(burst.subarray(0, ticks * tick.length));
    ticks = 0;
    return more ? undefined : new Promise((resolve) => stdout.once('drain', resolve));
  },
});

stdin.on('data', (chunk) => {
  if (mode === 'echo') {
    stdout.write(chunk);
    return;
  }
  swallowed += chunk.length;
  if (chunk.at(-1) !== 0) return;
  swallowed -= 1;
  if (mode === 'note') stdout.write(`${swallowed}\n`);
  if (mode === 'flood') {
    void flood({ ms: Number(chunk.subarray(0, -1)) }).then(() => stdout.write('\0'));
  }
});
