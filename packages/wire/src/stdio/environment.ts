/** Which variables of this process a child gets besides those given to it. */
export type EnvPolicy = 'safe' | 'all' | 'none';

/** Variables that programs need to run and that hold no secrets. A trailing `*` stands for any ending. */
const SAFE: Readonly<Record<'posix' | 'windows', readonly string[]>> = {
  posix: [
    'HOME',
    'LANG',
    'LC_*',
    'LOGNAME',
    'NODE_EXTRA_CA_CERTS',
    'PATH',
    'SHELL',
    'SSL_CERT_DIR',
    'SSL_CERT_FILE',
    'TERM',
    'TMPDIR',
    'TZ',
    'USER',
    'XDG_*',
  ],
  windows: [
    'APPDATA',
    'COMSPEC',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'NODE_EXTRA_CA_CERTS',
    'PATH',
    'PATHEXT',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMDATA',
    'PROGRAMFILES',
    'PROGRAMFILES(X86)',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'TMP',
    'USERNAME',
    'USERPROFILE',
    'WINDIR',
  ],
};

/** Proxies are needed to reach the network, and are passed on unless a password stands in them. */
const PROXIES: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];

/** Environment for a child process. */
export function childEnvironment(
  policy: EnvPolicy,
  given: Readonly<Record<string, string | undefined>>,
  { parent, platform }: { readonly parent: NodeJS.ProcessEnv; readonly platform: NodeJS.Platform },
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && isPassed(policy, name, value, platform)) env[name] = value;
  }
  for (const [name, value] of Object.entries(given)) {
    delete env[platform === 'win32' ? nameInEnv(env, name) : name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Windows takes `Path` and `PATH` for one variable, and the first of two wins. */
function nameInEnv(env: Readonly<Record<string, string>>, name: string): string {
  const upper = name.toUpperCase();
  return Object.keys(env).find((candidate) => candidate.toUpperCase() === upper) ?? name;
}

function isPassed(
  policy: EnvPolicy,
  name: string,
  value: string,
  platform: NodeJS.Platform,
): boolean {
  if (policy === 'all') return true;
  // Exported shell functions are code, not settings.
  if (policy === 'none' || value.startsWith('()')) return false;
  if (PROXIES.includes(name.toUpperCase())) return !value.includes('@');
  const key = platform === 'win32' ? name.toUpperCase() : name;
  return SAFE[platform === 'win32' ? 'windows' : 'posix'].some((entry) =>
    entry.endsWith('*') ? key.startsWith(entry.slice(0, -1)) : key === entry,
  );
}
