// Starts the memory program that this plugin belongs to. `program.json` beside this file names it: the build of a clone
// writes the path of the clone's program, a release the name of the published package.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const args = process.argv.slice(2);
const { program, packageName } = readProgram();
if (program !== undefined) {
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
} else if (packageName !== undefined) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const child = spawn('npx', ['-y', packageName, ...args], options);
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(
    'tincan: the plugin has no memory program yet: run `npm run build` in the clone, then install the plugin again\n',
  );
  // A hook that fails must not disturb the session it belongs to.
  process.exitCode = args[0] === 'hook' ? 0 : 1;
}

function readProgram() {
  try {
    return JSON.parse(readFileSync(new URL('program.json', import.meta.url), 'utf8'));
  } catch {
    // Neither built nor released: said above.
    return {};
  }
}
