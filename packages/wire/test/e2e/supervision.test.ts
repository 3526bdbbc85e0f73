import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Connection, type Peer, type SpawnOptions, spawnServer } from '../../src/index.ts';
import { fixture, raw } from './fixtures/programs.ts';
import { isAlive, processesWith, until } from './until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'wire-supervision-'));
const open: Connection[] = [];
let files = 0;

async function start(options: SpawnOptions): Promise<Connection> {
  const connection = await spawnServer({ restart: { backoffMs: 10 }, ...options });
  open.push(connection);
  return connection;
}

/** A file for a fixture to keep its history in. */
function historyFile(): string {
  return join(scratch, `history-${files++}`);
}

function history(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

afterAll(() => {
  expect(processesWith(scratch)).toEqual([]);
  rmSync(scratch, { recursive: true });
});

describe('supervision', () => {
  it('starts a crashed server again and shakes hands with the new process', async () => {
    const hands: string[] = [];
    const handshake = async (peer: Peer): Promise<void> => {
      hands.push(String(await peer.request('pid')));
    };
    const connection = await start({ ...raw('crash'), handshake });
    const exited = once(connection, 'exit');
    const restarted = once(connection, 'restart');
    const before = connection.pid;
    await expect(connection.request('crash')).rejects.toMatchObject({
      code: 'PROCESS_EXITED',
      exitCode: 9,
    });
    expect(await exited).toMatchObject([{ exitCode: 9, phase: 'running' }]);
    expect(await restarted).toEqual([1]);
    expect(connection.pid).not.toBe(before);
    expect(hands).toEqual([String(before), String(connection.pid)]);
    expect(await connection.request('echo', { n: 1 })).toEqual({ n: 1 });
    expect(connection.isRunning).toBe(true);
  });

  it('uses the new process though a `restart` listener throws', async () => {
    const connection = await start({ ...raw('crash') });
    let restarts = 0;
    connection.on('restart', () => {
      restarts++;
      throw new Error('from a listener');
    });
    const failed: string[] = [];
    connection.on('remark', ({ message }) => failed.push(message));
    await connection.request('crash').catch(() => undefined);
    expect(await connection.request('echo', { n: 1 })).toEqual({ n: 1 });
    expect([restarts, failed]).toEqual([1, ['a listener of `restart` threw']]);
  });

  it('lets a request made during the restart wait for the new process', async () => {
    const connection = await start({ ...raw('crash'), restart: { backoffMs: 100 } });
    const exited = once(connection, 'exit');
    await connection.request('crash').catch(() => undefined);
    await exited;
    expect(await connection.request('echo', { n: 2 })).toEqual({ n: 2 });
    await connection.notify('fine');
    expect(await connection.requestMany([{ method: 'echo', params: { n: 3 } }])).toEqual([
      { status: 'fulfilled', value: { n: 3 } },
    ]);
  });

  it('row 98: requests marked safe are sent again after the handshake, the others reject', async () => {
    const path = historyFile();
    const connection = await start({
      ...raw('crash-once', path),
      handshake: (peer) => peer.request('initialize'),
    });
    const [safe, other] = await Promise.allSettled([
      connection.request('work', { n: 1 }, { safe: true }),
      connection.request('work', { n: 2 }),
    ]);
    expect(safe).toEqual({ status: 'fulfilled', value: { n: 1 } });
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'PROCESS_EXITED' } });
    expect(history(path)).toEqual(['start', 'initialize', 'work', 'start', 'initialize', 'work']);
  });

  it('row 98: a safe request that waits in a full pipe is sent again too', async () => {
    const path = historyFile();
    const connection = await start(raw('crash-once', path));
    const bulk = { text: 'b'.repeat(4 * 1024 * 1024) };
    const results = await Promise.allSettled([
      connection.request('work', undefined, { safe: true }),
      connection.request('bulk', bulk, { safe: true }),
      connection.request('last', { n: 1 }, { safe: true }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('row 97: gives up after too many crashes, with the last error', async () => {
    const path = historyFile();
    const connection = await start({
      ...raw('crash-after-first', path),
      restart: { maxCrashes: 3, backoffMs: 5 },
      handshake: (peer) => peer.request('initialize'),
    });
    await connection.request('crash').catch(() => undefined);
    await until(() => history(path).length === 4, { what: 'three restarts' });
    const error = await connection.request('echo').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'PROCESS_EXITED',
      exitCode: 4,
      stderrTail: 'the disk is gone\n',
    });
    expect(history(path)).toHaveLength(4);
    expect(connection.isRunning).toBe(false);
    expect(connection.isShutdown).toBe(false);
  });

  it('row 97: gives up on a server that crashes in use, saying so', async () => {
    const connection = await start({ ...raw('crash'), restart: { maxCrashes: 1, backoffMs: 1 } });
    await connection.request('crash').catch(() => undefined);
    await once(connection, 'restart');
    const exited = once(connection, 'exit');
    await connection.request('crash').catch(() => undefined);
    await exited;
    await expect(connection.request('echo')).rejects.toThrow('crashed too often');
    await expect(connection.notify('echo')).rejects.toMatchObject({ code: 'PROCESS_EXITED' });
  });

  it('does not start a server again that was never up', async () => {
    const path = historyFile();
    const opening = spawnServer({
      ...raw('exit-at-once', path),
      restart: true,
      handshake: (peer) => peer.request('initialize'),
    });
    await expect(opening).rejects.toMatchObject({ code: 'PROCESS_EXITED', phase: 'handshake' });
    expect(processesWith(path)).toEqual([]);
  });

  it('does not start a server again that was closed', async () => {
    const connection = await start(raw('crash'));
    let restarts = 0;
    connection.on('restart', () => restarts++);
    const { pid } = connection;
    await connection.close();
    expect(isAlive(pid)).toBe(false);
    await expect(connection.request('echo')).rejects.toMatchObject({ code: 'SHUTDOWN' });
    expect(restarts).toBe(0);
  });

  it('row 116: close during the wait before a restart ends it', async () => {
    const path = historyFile();
    const connection = await start({
      ...raw('slow-restart', path),
      restart: { backoffMs: 60_000 },
    });
    const exited = once(connection, 'exit');
    await connection.request('crash').catch(() => undefined);
    await exited;
    const waiting = Promise.allSettled([
      connection.request('echo'),
      connection.notify('echo'),
      connection.requestMany([{ method: 'echo' }]),
    ]);
    await connection.close();
    for (const outcome of await waiting) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SHUTDOWN' } });
    }
    expect(history(path)).toEqual(['start']);
  });

  it.each([0, 1, 2, 5, 20])(
    'row 116: close during a restart leaves no process (%i ms after the crash)',
    async (ms) => {
      const path = historyFile();
      const connection = await start({
        ...raw('crash', path),
        restart: { backoffMs: 0 },
        handshake: (peer) => peer.request('echo'),
      });
      const exited = once(connection, 'exit');
      await connection.request('crash').catch(() => undefined);
      await exited;
      const deadline = performance.now() + ms;
      await until(() => performance.now() >= deadline);
      await connection.close();
      expect(processesWith(path)).toEqual([]);
    },
  );

  it('row 116: close during the handshake of a new process ends that process', async () => {
    const path = historyFile();
    let shakes = 0;
    const connection = await start({
      ...raw('slow-restart', path),
      handshake: async (peer) => {
        shakes++;
        if (shakes > 1) await peer.request('initialize');
      },
    });
    await connection.request('crash').catch(() => undefined);
    await until(() => shakes === 2, { what: 'the second handshake' });
    await connection.close();
    expect(processesWith(path)).toEqual([]);
  });

  it('treats a command that is gone at the restart as one more crash', async () => {
    const path = join(scratch, 'server.mjs');
    const { copyFileSync, unlinkSync } = await import('node:fs');
    copyFileSync(fixture('raw-server.mjs'), path);
    const connection = await start({
      ...raw('crash'),
      args: [path, 'crash'],
      restart: { maxCrashes: 2, backoffMs: 1 },
      handshake: (peer) => peer.request('echo'),
    });
    unlinkSync(path);
    await connection.request('crash').catch(() => undefined);
    const error = await until(() => !connection.isRunning).then(() =>
      connection.request('echo').catch((thrown: unknown) => thrown),
    );
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', phase: 'handshake', exitCode: 1 });
  });
});
