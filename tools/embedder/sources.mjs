/** Unpacked Debian packages the tools read; each is checked by hash before it is used. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './recipe.mjs';

/** The packages and versions the committed data was made from. */
export const packages = {
  'wordnet-base': {
    version: '1:3.0-37',
    sha256: '61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752',
  },
  edict: {
    version: '2021.02.03-1',
    sha256: 'f1d50611cd5486d30a4bdd56447bcfa1ee5084da7909340f5da3e1abc0b97b3b',
  },
  // Python of permissive licences, for every architecture alike, none of whose functions stands in CoSQA,
  // which is measured with (bench/retrieval).
  'python3-arrow': {
    version: '1.2.3-1',
    sha256: 'c5d32400b4b835797eca274449c94b89cd642924c047a237b804d945fdf748d8',
  },
  'python3-boltons': {
    version: '21.0.0-2',
    sha256: 'e199b3ebb65179c58bd374deb2f3888aab40967a4893e278de7fd483057af67f',
  },
  'python3-bs4': {
    version: '4.11.2-2',
    sha256: 'dbd4ad1d406c0cbb5c13529b4922601df98bbc0eb79e6c032be543c43351e5f6',
  },
  'python3-dask': {
    version: '2022.12.1+dfsg-2',
    sha256: 'c9dca2197ad8b396b4464b6788a503c788d70953ef4be295f361040f20de487d',
  },
  'python3-distributed': {
    version: '2022.12.1+ds.1-3',
    sha256: '609061f7d29af09741f97e1b07f5467cdd3f50b388f4e8ba37e80624cc0afd8d',
  },
  'python3-funcy': {
    version: '1.18-1',
    sha256: 'd81c7006f35a133bb785660d76655d7cee175cbfe78ad3d490ec3b0aa295d11e',
  },
  'python3-mpmath': {
    version: '1.2.1-2',
    sha256: '2c219b63cbab11b27208ef4141c116cbb022dc1236e84981fadb46042f3ce235',
  },
  'python3-openpyxl': {
    version: '3.0.9-1',
    sha256: '468490fc3f43f338efc03af25987956ca541b866378d8482a33d63d988e58ce9',
  },
  'python3-pint': {
    version: '0.19.2-1',
    sha256: '376d33ea0e8b857c42fb951f996cd34622235257c8f2a6346029e9f43b1e5523',
  },
  'python3-plumbum': {
    version: '1.8.0-1',
    sha256: '4124871920a98008ae59a57b4ecd71713cc0c3a7dfe1e6739847f6b36f568296',
  },
  'python3-pyparsing': {
    version: '3.0.9-1',
    sha256: '891dcf12a125dcadbae7166ad8e9d1fd22a6f1bf431ca4bce9f810da30dcd472',
  },
  'python3-pyqtgraph': {
    version: '0.13.1-4',
    sha256: '7e13228f0367dc5dfc1f3ed22e395c6b386b06d8f2ac1125c6b4b3dfbe0458b2',
  },
  'python3-rich': {
    version: '13.3.1-1',
    sha256: '4922761342dd42eb989dcc148e7a251401caf0266796f9fb0907be262d4a4083',
  },
  'python3-statsmodels': {
    version: '0.13.5+dfsg-7',
    sha256: '77474ba544c8e18e7932635ef9ab65abc1b8720fb471465d2a6ddd5ea81f08ad',
  },
  'python3-toolz': {
    version: '0.12.0-1',
    sha256: '0e0a07ec58110a5d07a84f3346e624b6cd92330e07fc8316d3f8a6ba9580f72f',
  },
  'python3-xlsxwriter': {
    version: '3.0.2-2',
    sha256: '08f682b576f661785ee1fb1c551046e55c195c2e45b36548184282885b2f9a3d',
  },
};

/** Folder of a package's files, fetched and unpacked on first use. */
export function unpacked(name) {
  const folder = new URL(`debian/${name}/`, cacheFolder);
  const root = new URL('root/', folder);
  if (existsSync(root)) return root;
  mkdirSync(folder, { recursive: true });
  const { version, sha256 } = packages[name];
  execFileSync('apt-get', ['download', `${name}=${version}`], { cwd: folder, stdio: 'ignore' });
  const archive = readdirSync(folder).find((file) => file.endsWith('.deb'));
  if (archive === undefined)
    throw new Error(`expected \`apt-get download ${name}\` to leave a .deb`);
  const path = fileURLToPath(new URL(encodeURIComponent(archive), folder));
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (hash !== sha256)
    throw new Error(`expected sha256 \`${sha256}\` of \`${name}\`, got \`${hash}\``);
  execFileSync('dpkg-deb', ['-x', path, fileURLToPath(root)]);
  return root;
}
