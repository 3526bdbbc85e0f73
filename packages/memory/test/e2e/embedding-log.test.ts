import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startFakeProvider } from '../embed/fake-provider.ts';
import { MemoryProgram } from './memory-program.ts';

const home = mkdtempSync(join(tmpdir(), 'tincan-log-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Line {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly data?: { readonly done: number; readonly pending: number } };
}

it('answers a change of the model at once, and logs how far it is until it is done', async () => {
  const provider = await startFakeProvider({ dim: 24 });
  try {
    await fill();
    await using server = new MemoryProgram(home);
    const send = (message: object): void =>
      server.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const next = async (): Promise<Line> => JSON.parse(await server.line()) as Line;
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    expect(await next()).toMatchObject({ result: { capabilities: { logging: {} } } });
    send({ method: 'notifications/initialized' });
    const embedder = { provider: 'ollama', model: 'fake', baseUrl: provider.url };
    send({ id: 2, method: 'memory.set_config', params: { embedder } });
    const heard: Line[] = [];
    while (heard.at(-1)?.params?.data?.pending !== 0) heard.push(await next());
    const [answer] = heard.filter(({ id }) => id === 2);
    expect(answer).toMatchObject({ result: { effectiveNamespace: 'ollama:fake:24' } });
    const messages = heard.filter(({ id }) => id === undefined);
    expect(messages.length).toBeGreaterThan(1);
    for (const { method, params: told } of messages) {
      expect(method).toBe('notifications/message');
      expect(told).toMatchObject({ level: 'info', logger: 'memory' });
      expect((told?.data?.done ?? 0) + (told?.data?.pending ?? 0)).toBe(300);
    }
  } finally {
    await provider.close();
  }
});

/** Three hundred notes with vectors of the default model. */
async function fill(): Promise<void> {
  await using server = new MemoryProgram(home);
  for (let id = 1; id <= 300; id += 1) {
    const text = `note ${id} about lamps`;
    await server.call('memory.add_note', { projectId: '/p', groupId: 'g', text });
  }
  await server.end();
  await using command = new MemoryProgram(home, { args: ['reindex'] });
  expect(await command.ended).toMatchObject({ code: 0 });
}
