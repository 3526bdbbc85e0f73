// Adds the platform packages that a lock file misses when it was written where they could not be fetched.
// Without them `npm ci` refuses the lock, and another platform would install no binary.
//
//   node tools/complete-lock.mjs           completes package-lock.json
//   node tools/complete-lock.mjs --check   fails when something is missing

import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);
const SYSTEMS = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32';
const PROCESSORS = 'arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64';
const PLATFORM = new RegExp(`(?:^|[/-])(${SYSTEMS})-(${PROCESSORS})(?:-(gnu|musl))?`);

/** An exact version; a range cannot be resolved without the registry. */
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** What the lock says about a package that is only known by name and version. */
function entryFor(name, version, parent) {
  const [, os, processor, libc] = PLATFORM.exec(name) ?? [];
  const cpu = name.includes('wasm32') ? 'wasm32' : processor;
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(libc && { libc: [libc === 'gnu' ? 'glibc' : 'musl'] }),
    ...(parent.dev && { dev: true }),
    license: parent.license,
    optional: true,
    ...(os && { os: [os] }),
  };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const missing = [];
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (path in lock.packages) continue;
    missing.push(`${name}@${version}`);
    if (EXACT.test(version)) lock.packages[path] = entryFor(name, version, parent);
  }
}
const open = missing.filter((item) => !EXACT.test(item.slice(item.lastIndexOf('@') + 1)));

if (process.argv.includes('--check')) {
  for (const item of missing) console.error(`package-lock.json misses ${item}`);
  if (missing.length > 0) console.error('run: node tools/complete-lock.mjs');
} else if (missing.length > 0) {
  const packages = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries(packages);
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`added ${missing.length - open.length} packages`);
  for (const item of open) console.error(`cannot add ${item}: not an exact version`);
}
process.exitCode = process.argv.includes('--check') ? Math.min(1, missing.length) : open.length;
