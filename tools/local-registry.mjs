// A package registry on loopback that has our packages and nothing else: what a client installs from it is what we
// would publish, and every request for anything else is refused and counted.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = ['wire', 'mcp', 'memory', 'answer', 'cli'];

/** Managers that wait before they install a new version see an old one. */
const PUBLISHED = '2026-01-01T00:00:00.000Z';

/** Packs every package and serves the tarballs. `refused` lists the paths that were asked for in vain. */
export async function openRegistry() {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-registry-'));
  const files = pack(folder);
  const refused = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://registry').pathname.slice(1));
    const tarball = files.get(path);
    if (tarball !== undefined) return response.end(tarball.bytes);
    const entry = [...files.values()].find(({ manifest }) => manifest.name === path);
    if (entry === undefined) {
      refused.push(path);
      response.writeHead(404, { 'content-type': 'application/json' });
      return response.end('{"error":"not found"}');
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify(describe(entry, `http://127.0.0.1:${server.address().port}`)),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    refused,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tarballs by file name, with the manifest of each. */
function pack(folder) {
  const workspaces = PACKAGES.flatMap((name) => ['-w', `packages/${name}`]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...workspaces];
  const { stdout, status } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm could not pack the packages; run `npm run build` first');
  return new Map(
    JSON.parse(stdout).map(({ name, filename }) => {
      const short = PACKAGES.find((each) => manifestOf(each).name === name);
      const bytes = readFileSync(join(folder, filename));
      return [filename, { filename, bytes, manifest: manifestOf(short) }];
    }),
  );
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
}

function describe({ filename, bytes, manifest }, origin) {
  const { name, version } = manifest;
  const dist = {
    tarball: `${origin}/${filename}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, scripts: {}, devDependencies: {}, dist } },
    time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
  };
}
