import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openLocalEmbedder } from '../../../src/embed/local/open-local.ts';
import { writeSmallData } from './small-data.ts';

const folders: URL[] = [];
const smallFolder = () => {
  const folder = writeSmallData();
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const dot = (a: Float32Array | undefined, b: Float32Array | undefined) => {
  if (a === undefined || b === undefined) throw new Error('expected two vectors');
  return a.reduce((sum, x, d) => sum + x * (b[d] ?? 0), 0);
};

describe('openLocalEmbedder on a model of two dimensions', () => {
  it('adds up rows by their weights and brings the sum to length one', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    const [catDog] = await embedder.embed(['cat dog'], { kind: 'query' });
    expect(Array.from(catDog ?? [])).toEqual([
      expect.closeTo(1 / Math.sqrt(5)),
      expect.closeTo(2 / Math.sqrt(5)),
    ]);
  });

  it('lets the beginning of a note count more than its end, and a question all alike', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    const cosine = async (a: string, b: string, kind: 'note' | 'query') => {
      const [x, y] = await embedder.embed([a, b], { kind });
      return Array.from(x ?? []).reduce((sum, value, i) => sum + value * (y?.[i] ?? 0), 0);
    };
    const [first, last] = [`cat ${'dog '.repeat(9)}`, `${'dog '.repeat(9)}cat`];
    expect(await cosine(first, 'cat', 'note')).toBeGreaterThan(await cosine(last, 'cat', 'note'));
    expect(await cosine(first, last, 'query')).toBeCloseTo(1);
  });

  it('lets a repeated word count by the root of its number', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    const [text] = await embedder.embed(['cat cat cat cat dog'], {
      kind: 'query',
    });
    expect(Array.from(text ?? [])).toEqual([
      expect.closeTo(Math.SQRT1_2),
      expect.closeTo(Math.SQRT1_2),
    ]);
  });

  it('gives the zero vector to a text without a known piece', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    expect(await embedder.embed(['', 'zzz'])).toEqual([new Float32Array(2), new Float32Array(2)]);
  });

  it('reads the table only with the first text and the dictionary only with Japanese', async () => {
    const folder = smallFolder();
    rmSync(new URL('japanese/bridge.bin', folder));
    const embedder = await openLocalEmbedder({ folder });
    expect(await embedder.embed(['cat'])).toHaveLength(1);
    await expect(embedder.embed(['cat', '猫'])).rejects.toMatchObject({ code: 'DATA_MISSING' });
  });

  it('names itself after what decides its vectors', async () => {
    const folder = smallFolder();
    const before = (await openLocalEmbedder({ folder })).model;
    for (const file of ['static/model.json', 'japanese/bridge.json']) {
      const manifest = readFileSync(new URL(file, folder), 'utf8');
      writeFileSync(new URL(file, folder), manifest.replace(/"crc32":"\w/, '"crc32":"x'));
      expect((await openLocalEmbedder({ folder })).model).not.toBe(before);
      writeFileSync(new URL(file, folder), manifest);
    }
    expect((await openLocalEmbedder({ folder })).model).toBe(before);
  });

  it.each([
    ['static/model.json', '{', 'DATA_CORRUPT', 'expected `model.json` to be JSON'],
    ['static/model.json', '{"format":2}', 'DATA_CORRUPT', '`model.json` is not a manifest'],
    ['static/model.json', 'null', 'DATA_CORRUPT', '`model.json` is not a manifest'],
    ['japanese/bridge.json', '{"format":1}', 'DATA_CORRUPT', '`bridge.json` is not a manifest'],
    ['static/vectors.i8', 'short', 'DATA_CORRUPT', '`vectors.i8` to hold 12 bytes, got 5'],
    ['static/scales.f32', 'x'.repeat(24), 'DATA_CORRUPT', '`scales.f32` to have the checksum'],
    ['static/vocab.txt', undefined, 'DATA_MISSING', "cannot read the model's `vocab.txt`"],
    ['japanese/bridge.bin', 'x', 'DATA_CORRUPT', '`bridge.bin` to hold'],
    ['japanese/bridge.json', undefined, 'DATA_MISSING', "the model's `bridge.json`"],
  ])('refuses %s of content %j with %s and a way out', async (file, content, code, message) => {
    const folder = smallFolder();
    if (content === undefined) rmSync(new URL(file, folder));
    else writeFileSync(new URL(file, folder), content);
    const attempt = openLocalEmbedder({ folder }).then((embedder) => embedder.embed(['猫 cat']));
    await expect(attempt).rejects.toMatchObject({
      name: 'LocalModelError',
      code,
      message: expect.stringContaining(message),
    });
    await expect(attempt).rejects.toThrow(/reinstall `tincan-memory`, or choose another embedder/);
  });

  it('refuses files whose sizes fit their checksums but not each other', async () => {
    const folder = smallFolder();
    const path = new URL('static/model.json', folder);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"pieces":6', '"pieces":7'));
    const embedder = await openLocalEmbedder({ folder });
    await expect(embedder.embed(['cat'])).rejects.toThrow(
      'expected vectors, scales and vocabulary of 7 word pieces, got 6, 6 and 6',
    );
  });

  it('recovers in the same process once a damaged file is whole again', async () => {
    const folder = smallFolder();
    const path = new URL('static/vectors.i8', folder);
    const whole = readFileSync(path);
    truncateSync(path, 3);
    const embedder = await openLocalEmbedder({ folder });
    await expect(embedder.embed(['cat'])).rejects.toMatchObject({ code: 'DATA_CORRUPT' });
    writeFileSync(path, whole);
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('throws the reason of a signal that is already aborted', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(embedder.embed(['cat'], { signal })).rejects.toBe(reason);
  });

  it('can be closed twice and embeds again after it', async () => {
    const embedder = await openLocalEmbedder({ folder: smallFolder() });
    await embedder.close();
    await embedder.close();
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });
});

describe('the model that ships', () => {
  it('describes itself', async () => {
    const embedder = await openLocalEmbedder();
    expect(embedder).toMatchObject({ provider: 'local', dim: 256 });
    expect(embedder.model).toMatch(/^static-gte-small-256-[0-9a-f]{8}-[0-9a-f]{8}$/);
  });

  it('gives the same vectors, of length one, whenever and in whatever company it is asked', async () => {
    const texts = [
      'the cat sat on the mat',
      'def read_file(path): return open(path)',
      '猫が好きだ',
    ];
    const first = await (await openLocalEmbedder()).embed(texts);
    const again = await openLocalEmbedder();
    for (const [i, text] of texts.entries()) {
      expect(await again.embed([text], { kind: 'note' })).toEqual([first[i]]);
      expect(dot(first[i], first[i])).toBeCloseTo(1, 5);
    }
  });

  it.each([
    ['The database is backed up every night', 'nightly copies of the data store'],
    ['My sister cannot eat peanuts', 'food allergies in the family'],
    ['We deploy on weekdays only', 'when do releases happen'],
    ['The flight leaves at seven in the morning', 'what time does the plane take off'],
    ['I adopted a puppy last month', 'new pet dog'],
    ['The payment failed because the card expired', 'reason the transaction was rejected'],
    ['毎晩バックアップを取る', 'The database is backed up every night'],
    ['妹は卵を食べられない', 'my sister cannot eat eggs'],
    ['来月大阪へ引っ越す', 'I am moving to another city next month'],
    ['会議は金曜日の午後に延期された', 'the meeting was postponed to Friday afternoon'],
    ['犬の予防接種', 'ペットの注射'],
    ['自動車の修理', '車を直す'],
  ])('puts %j nearer to %j than to anything unrelated', async (text, paraphrase) => {
    const unrelated = [
      'the orchestra rehearsed a symphony by Mahler',
      'volcanic rocks contain silica and feldspar',
      'printf formats a floating point number',
      'the senate debated a bill about fishing quotas',
      'knead the dough and let it rise for an hour',
    ];
    const embedder = await openLocalEmbedder();
    const [anchor, near, ...far] = await embedder.embed([text, paraphrase, ...unrelated]);
    const nearest = Math.max(...far.map((vector) => dot(anchor, vector)));
    expect(dot(anchor, near)).toBeGreaterThan(nearest + 0.05);
  });
});
