import type { ChildProcess } from 'node:child_process';
import { signalGroup } from './process-group.ts';

/**
 * Waits for the end of its input, which comes when this process dies in whatever way, and then ends the
 * groups still on its list: first politely, then not.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r op group; do
  case $op in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
[ -n "\${groups#"\${groups%%[0-9]*}"}" ] || exit 0
sleep 0.5
for group in $groups; do kill -TERM "-$group"; done
sleep 0.7
for group in $groups; do kill -KILL "-$group"; done
`;

const groups = new Set<number>();
let watcher: ChildProcess | undefined;
let isHooked = false;

/** Puts a process group under watch: it does not outlive this process, not even after SIGKILL. */
export function watchGroup(leader: number): void {
  groups.add(leader);
  if (!isHooked) {
    isHooked = true;
    process.once('exit', onExit);
  }
  tell(`+ ${leader}\n`);
}

/** Takes a group off the list, because it is gone. */
export function forgetGroup(leader: number): void {
  if (!groups.delete(leader)) return;
  tell(`- ${leader}\n`);
}

/** In an exit handler only what happens at once happens at all. */
function onExit(): void {
  const signal = watcher === undefined ? 'SIGKILL' : 'SIGTERM';
  for (const leader of groups) signalGroup(leader, signal);
}

function tell(line: string): void {
  if (process.platform === 'win32') return;
  watcher ??= startWatcher();
  watcher?.stdin?.write(line);
}

function startWatcher(): ChildProcess | undefined {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  // Without a shell the exit hook alone has to do.
  child.on('error', () => {
    watcher = undefined;
  });
  child.stdin?.on('error', () => undefined);
  child.unref();
  const stdin = child.stdin as unknown as { unref?: () => void } | null;
  stdin?.unref?.();
  return child;
}
