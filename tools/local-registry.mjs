// A package registry on loopback that has our packages, and stand-ins for their optional peers, which nobody should
// install unasked. What a client installs from it is what we would publish; a request for anything else is refused.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGES = ['wire', 'mcp', 'memory', 'answer', 'cli'];

/** Each fails to install and counts as one package more. */
const OPTIONAL_PEERS = [
  { name: 'better-sqlite3', version: '12.99.0', scripts: { install: 'exit 1' } },
  { name: 'onnxruntime-node', version: '1.99.0', scripts: { install: 'exit 1' } },
];

/** Managers that wait before they install a new version see an old one. */
const PUBLISHED = '2026-01-01T00:00:00.000Z';

/** Packs every package and serves the tarballs. `refused` lists the paths that were asked for in vain. */
export async function openRegistry() {
  const folder = mkdtempSync(join(tmpdir(), 'tincan-registry-'));
  const files = pack(folder);
  const refused = [];
  let upstream;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://registry').pathname.slice(1));
    const tarball = files.get(path);
    if (tarball !== undefined) return response.end(tarball.bytes);
    const entry = [...files.values()].find(({ manifest }) => manifest.name === path);
    if (upstream !== undefined && (entry === undefined || isPeer(entry))) {
      response.writeHead(302, { location: new URL(request.url.slice(1), upstream).href });
      return response.end();
    }
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
    /** From now on, sends requests for packages of others to this registry; with `undefined`, refuses them again. */
    forward: (address) => {
      upstream = address;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tarballs by file name, with the manifest of each. */
function pack(folder) {
  const peers = OPTIONAL_PEERS.map((manifest) => {
    const path = join(folder, manifest.name);
    mkdirSync(path);
    writeFileSync(join(path, 'package.json'), JSON.stringify(manifest));
    return path;
  });
  const paths = [...PACKAGES.map((name) => join(ROOT, 'packages', name)), ...peers];
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...paths];
  const { stdout, status } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm could not pack the packages; run `npm run build` first');
  const manifests = paths.map((path) => JSON.parse(readFileSync(join(path, 'package.json'))));
  return new Map(
    JSON.parse(stdout).map(({ name, filename }) => {
      const manifest = manifests.find((each) => each.name === name);
      return [filename, { filename, bytes: readFileSync(join(folder, filename)), manifest }];
    }),
  );
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
    versions: { [version]: { ...manifest, hasInstallScript: hasInstallScript(manifest), dist } },
    time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
  };
}

function isPeer({ manifest }) {
  return OPTIONAL_PEERS.some(({ name }) => name === manifest.name);
}

/** npm works from this, without the tarball. */
function hasInstallScript({ scripts = {} }) {
  return 'install' in scripts || 'preinstall' in scripts || 'postinstall' in scripts;
}
