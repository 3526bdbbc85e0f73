import type { Settings } from '../../../config/settings.ts';
import { MemoryError } from '../../../errors.ts';
import { checkEmbedder } from './embedder.ts';
import { checkPermissions } from './permissions.ts';
import { checkDriver, checkStore } from './store.ts';

/** One thing looked at. `fix` is the way out. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly fix?: string;
}

const MIN_NODE = [20, 19] as const;

/** Looks at everything the memory stands on, changes nothing, and goes on where something is broken. */
export async function diagnose(load: () => Promise<Settings>): Promise<Check[]> {
  const driver = checkDriver();
  const basics = [checkNode(process.versions.node), ...driver];
  let settings: Settings;
  try {
    settings = await load();
  } catch (error) {
    return [
      ...basics,
      { name: 'config', status: 'fail', message: messageOf(error), fix: fixOf(error) },
    ];
  }
  const hasDriver = driver.every(({ status }) => status !== 'fail');
  return [
    ...basics,
    { name: 'config', status: 'ok', message: settings.paths.configPath },
    { name: 'toolset', status: 'ok', message: describeToolset(settings) },
    ...(await checkPermissions(settings)),
    ...(hasDriver ? await checkStore(settings) : []),
    await checkEmbedder(settings),
  ];
}

/** Which tools a server gives to models, and what decided it. */
function describeToolset({ toolset: { name, origin } }: Settings): string {
  return origin === 'default' ? `${name} (default)` : `${name} (set by ${origin})`;
}

/** Whether this Node.js is new enough. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) {
    return { name: 'node', status: 'ok', message: version };
  }
  return {
    name: 'node',
    status: 'fail',
    message: `expected ${MIN_NODE.join('.')} or newer, got ${version}`,
    fix: 'install a newer Node.js',
  };
}

function fixOf(error: unknown): string {
  const repair = error instanceof MemoryError ? error.data?.['repair'] : undefined;
  return typeof repair === 'string'
    ? repair
    : 'correct the file or move it away: without one the defaults are in force';
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
