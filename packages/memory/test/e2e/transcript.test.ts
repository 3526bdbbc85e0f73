import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../embed/fake-provider.ts';
import { makeTempFolder } from '../store/temp-folder.ts';
import { type Answer, MemoryProgram } from './memory-program.ts';

/** One recorded exchange; without a request it is a remark on the run. */
interface Recorded {
  readonly label: string;
  readonly request?: string;
  readonly response: readonly [string];
}

const transcript = readFileSync(
  new URL('./fixtures/reference-transcript.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const refused = (path: string, message: RegExp): object => ({
  error: { code: -32602, message: expect.stringMatching(message), data: { path } },
});
const note = { id: expect.any(String), text: 'refresh token seven days' };
const cleared = { ...note, title: null, source: null, metadata: null, tags: ['x'] };
const found = { result: { results: [{ ...cleared, score: expect.closeTo(1, 0) }] } };
const none = { result: { results: [] } };
const retagged = { ...cleared, tags: [] };

/**
 * Every answer that is not the recorded one, and why: the row of the list of defects it corrects, or
 * the part of the contract that asks for it.
 */
const DIFFERENCES: Readonly<Record<string, { readonly why: string; readonly answer?: object }>> = {
  initialize: {
    why: 'row 11: the version the client asked for, all capabilities, instructions',
    answer: {
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: 'tincan-memory' },
        instructions: expect.any(String),
      },
    },
  },
  'notification -> blank line on stdout': { why: 'row 11: quiet' },
  ping: { why: 'row 11: full MCP', answer: { result: {} } },
  batch: {
    why: 'the transport: batches are answered as one array',
    answer: [{ id: 1, result: { embedder: { provider: 'openai' } } }],
  },
  'id null = notification': {
    why: 'the transport: null is an id, absence is a notification',
    answer: { id: null, result: { embedder: { provider: 'openai' } } },
  },
  'add_note: wrong type tags': {
    why: 'row 7: invalid params with the path',
    answer: refused('tags', /^tags: expected array, got string$/),
  },
  'add_note: relative projectId': {
    why: 'row 2: a name that is no path stays itself',
    answer: { result: { canonicalProjectId: 'my-project' } },
  },
  'search tilde (not canonicalised)': {
    why: 'row 2: every call canonicalises',
    answer: { result: { results: [{ text: 'JWT <token> & refresh' }] } },
  },
  'search topK 0': { why: 'row 9: none', answer: none },
  'search topK -3': { why: 'row 9: refused', answer: refused('topK', /at least 0, got -3/) },
  'search topK 1.5': { why: 'row 7', answer: refused('topK', /expected integer/) },
  'get after null clear': { why: 'row 8: cleared is null', answer: { result: cleared } },
  'search after metadata-only update (embedding lost: score 0)': {
    why: 'rows 1 and 8: the vector is kept',
    answer: found,
  },
  'search after text update': { why: 'row 8', answer: found },
  'update empty text': {
    why: 'contract: the text of a note cannot be taken away',
    answer: refused('patch.text', /^text is required$/),
  },
  'update wrong type title': {
    why: 'row 7: refused, not ignored',
    answer: refused('patch.title', /expected string or null, got number/),
  },
  'update no patch': {
    why: 'safety S7: nothing to change is a mistake',
    answer: refused('patch', /^patch is required$/),
  },
  'group_update empty title + groupKey ignored': {
    why: 'safety S7: unknown parameters are refused, also inside a patch',
    answer: refused('patch.groupKey', /^unknown parameter `patch\.groupKey`/),
  },
  'memory.group_list': {
    why: 'safety S7: the update before was refused as a whole',
    answer: { result: { groups: [{ groupKey: 'feature-1', title: 'F1' }] } },
  },
  'set_config store ignored': {
    why: 'safety S7: unknown parameters are refused',
    answer: refused('store', /^unknown parameter `store`, expected one of `embedder`$/),
  },
  list_recent: {
    why: 'rows 8 and 12, and tags null clears: contract',
    answer: { result: { items: [retagged] } },
  },
  'list_recent limit -1': { why: 'row 9', answer: refused('limit', /at least 0, got -1/) },
  'get_global missing': {
    why: 'contract: nulls when not found',
    answer: { result: { found: false, id: null, value: null, updatedAt: null } },
  },
  'set_config unknown provider accepted': {
    why: 'row 5: validated',
    answer: refused('embedder.provider', /got `nonsense`/),
  },
  'add_note after set_config (old embedder, old namespace)': {
    why: 'row 5: in force at once',
    answer: {
      result: { namespace: expect.stringMatching(/^openai:text-embedding-3-large:\d+$/) },
    },
  },
  'tools/list': {
    why: 'the record leaves the list out; safety S4: the toolset `core`',
    answer: { result: { tools: { length: 8 } } },
  },
  'tools/call add_note': {
    why: 'rows 5 and 11: structured content too, in the new namespace',
    answer: {
      result: {
        content: [{ type: 'text', text: expect.stringContaining('"canonicalProjectId":"/p"') }],
        structuredContent: { canonicalProjectId: '/p' },
      },
    },
  },
  'tools/call error': {
    why: 'the wording of the JSON-RPC face, without a prefix: `isError` says it',
    answer: { result: { isError: true, content: [{ text: 'Note not found' }] } },
  },
  'tools/call unknown tool': {
    why: 'row 11: the protocol wants an error here',
    answer: { error: { code: -32602, message: 'unknown tool `nope`' } },
  },
  'tools/call no name': {
    why: 'row 11: the protocol wants an error here',
    answer: { error: { code: -32602, data: { path: 'name' } } },
  },
  'tools/call wrong type': {
    why: 'use U9: a number that a model wrote as text is a number',
    answer: {
      result: {
        structuredContent: {
          results: expect.arrayContaining([expect.objectContaining({ text: 'via tool' })]),
        },
      },
    },
  },
  'resources/list': {
    why: 'row 11: notes as resources',
    answer: { result: { resources: expect.any(Array) } },
  },
  'prompts/list': {
    why: 'row 11: prompts',
    answer: { result: { prompts: [{ name: 'recall' }, { name: 'save' }] } },
  },
  'config file after the run (is dim saved?)': { why: 'row 5: set_config is persisted' },
};

describe('the recorded exchanges of the reference design', () => {
  const dir = realpathSync(makeTempFolder());
  const home = join(dir, 'home');
  const ids = new Map<string, string>();
  let provider: FakeProvider;
  let server: MemoryProgram;

  beforeAll(async () => {
    provider = await startFakeProvider({ dim: 64 });
    mkdirSync(home);
    const last = transcript.at(-1)?.response[0] ?? '';
    writeFileSync(join(dir, 'config.json'), here(last));
    server = new MemoryProgram(home, {
      cwd: dir,
      args: ['serve', '--config', join(dir, 'config.json')],
      env: { TINCAN_HOME: undefined },
    });
  });

  afterAll(async () => {
    await server.end();
    await provider.close();
  });

  /** A recorded text with the places and ids of this run. */
  function here(text: string): string {
    let mapped = text
      .replaceAll('<dir>', dir)
      .replaceAll('/home/u', home)
      .replaceAll('http://127.0.0.1:18999', provider.url);
    for (const [recorded, ours] of ids) mapped = mapped.replaceAll(recorded, ours);
    return mapped;
  }

  it('differ in what is listed here, and every difference listed occurs', () => {
    const labels = transcript.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES)));
    expect(labels).toHaveLength(93);
  });

  it.each(transcript.filter(({ request }) => request !== undefined))('$label', async (exchange) => {
    const { label, request = '', response } = exchange;
    const difference = DIFFERENCES[label];
    server.write(`${here(request)}\n`);
    // Silence is proved by the next answer being the next line.
    if (difference !== undefined && difference.answer === undefined) return;
    const answer = JSON.parse(await server.line()) as Answer;
    if (difference?.answer !== undefined) {
      remember(label === 'tools/list' ? '{}' : response[0], answer);
      expect(answer, difference.why).toMatchObject(difference.answer);
      return;
    }
    remember(response[0], answer);
    const expected = JSON.parse(here(response[0])) as Answer;
    expect(answer.id).toEqual(expected.id);
    if (expected.error === undefined) expect(answer.result).toEqual(ourForm(expected.result));
    else expect(answer.error).toMatchObject(ourError(expected.error));
  });

  /** Ids are made anew in every run: what was recorded as one stands for what came now. */
  function remember(recorded: string, answer: Answer): void {
    if (!recorded.startsWith('{')) return;
    const before = (JSON.parse(recorded) as Answer).result?.['id'];
    const now = answer.result?.['id'];
    if (typeof before === 'string' && typeof now === 'string') ids.set(before, now);
  }

  it('exit code on stdin EOF', async () => {
    expect(await server.end()).toEqual({ code: 0, signal: null });
    expect(server.stdout).not.toContain('\n\n');
  });

  it('config file after the run (is dim saved?)', () => {
    const config = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8'));
    expect(config.embedder).toMatchObject({ model: 'text-embedding-3-large', apiKey: 'bad' });
  });
});

/** An answer of the record as ours has it wherever only clocks, scores and sizes differ. */
function ourForm(value: unknown, key = ''): unknown {
  if (key === 'dim') return expect.any(Number);
  if (key === 'score') return expect.any(Number);
  if (typeof value === 'string') return ourText(value, key);
  if (Array.isArray(value)) return value.map((item) => ourForm(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, ourForm(member, name)]);
  // What was found says why, beside what the record has.
  if ('score' in value)
    members.push(['match', expect.objectContaining({ words: expect.any(Array) })]);
  // Notes and values say their revision too: contract.
  if (('createdAt' in value && 'text' in value) || ('found' in value && 'updatedAt' in value)) {
    members.push(['revision', expect.any(Number)]);
  }
  return Object.fromEntries(members);
}

function ourText(value: string, key: string): unknown {
  // Row 4: the size of the model is learnt and becomes part of the name.
  if (/namespace$/i.test(key)) {
    return expect.stringMatching(new RegExp(`^${value.replace(/0$/, '')}\\d+$`));
  }
  // Row 12: milliseconds, UTC; the time of the run is another one.
  if (!/(?:created|updated)At$/.test(key)) return value;
  return value.startsWith('2026') ? INSTANT : new Date(value).toISOString();
}

/** The code and the contract's words; what a parser of another language said behind them is its own. */
function ourError({ code, message }: NonNullable<Answer['error']>): object {
  const [words = ''] = message.split(/: (?:parsing|Key|GroupKey)/);
  const rest = words === message ? '$' : ': ';
  const escaped = words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return { code, message: expect.stringMatching(new RegExp(`^${escaped}${rest}`)) };
}
