import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { WordPiece } from '../../../src/embed/local/word-piece.ts';
import { openEmbedder } from '../../../src/embed/open-embedder.ts';
import { describeEmbedder } from '../embedder-contract.ts';
import {
  englishVocabulary,
  type ModelFiles,
  runtimeIn,
  settingsFor,
  writeModel,
} from './model-files.ts';

const folders: string[] = [];
const embedders: Embedder[] = [];
afterAll(async () => {
  for (const embedder of embedders) await embedder.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const folderWith = (files?: ModelFiles): string => {
  const folder = writeModel(files);
  folders.push(folder);
  return folder;
};
const open = async (model: string): Promise<Embedder> => {
  const embedder = await openEmbedder(settingsFor(model));
  if (embedder === undefined) throw new Error('expected an embedder');
  embedders.push(embedder);
  return embedder;
};
const logOf = (folder: string): string[] =>
  readFileSync(join(folder, 'node_modules/onnxruntime-node/log'), 'utf8').trimEnd().split('\n');
const wordPiece = new WordPiece(readFileSync(englishVocabulary, 'utf8').trimEnd().split('\n'));
const idsOf = (text: string): string => ['101', ...wordPiece.encode(text), '102'].join(' ');
const lengthOf = (line: string | undefined): number => (line ?? '').split(' ').length - 1;

describeEmbedder('a transformer model', () => open(folderWith()));

describe('a transformer model', () => {
  it('loads nothing until the first text, and then once', async () => {
    const folder = folderWith();
    const embedder = await open(folder);
    expect(embedder).toMatchObject({ provider: 'onnx', dim: 64 });
    expect(() => logOf(folder)).toThrow('ENOENT');
    await embedder.embed(['a cat', 'a dog']);
    await embedder.embed(['a bird']);
    const log = logOf(folder);
    expect(log.filter((line) => line.startsWith('create'))).toHaveLength(1);
    expect(log.slice(1)).toEqual([
      `input_ids,attention_mask ${idsOf('a cat')}`,
      `input_ids,attention_mask ${idsOf('a dog')}`,
      `input_ids,attention_mask ${idsOf('a bird')}`,
    ]);
  });

  it('takes the mean of the tokens, or the first where the model says so', async () => {
    const mean = await open(folderWith());
    const first = await open(
      folderWith({ '1_Pooling/config.json': { pooling_mode_cls_token: true } }),
    );
    const [[averaged], [marker]] = await Promise.all([mean.embed(['cat']), first.embed(['cat'])]);
    const places = (vector: Float32Array | undefined) =>
      [...(vector ?? [])].flatMap((x, d) => (x > 0 ? [[d, Number(x.toFixed(4))]] : []));
    const [cat = 0] = wordPiece.encode('cat');
    const half = Number(Math.SQRT1_2.toFixed(4));
    expect(places(marker)).toEqual([
      [0, half],
      [101 % 64, half],
    ]);
    expect(places(averaged)).toEqual(
      [0, 101 % 64, 102 % 64, cat % 64].sort((a, b) => a - b).map((d) => [d, 0.5]),
    );
  });

  it('puts before a text what its configuration asks for', async () => {
    const folder = folderWith({
      'config_sentence_transformers.json': { prompts: { query: 'find: ', document: 'keep: ' } },
    });
    const embedder = await open(folder);
    await embedder.embed(['cat'], { kind: 'query' });
    await embedder.embed(['cat'], { kind: 'note' });
    expect(logOf(folder).slice(1)).toEqual([
      `input_ids,attention_mask ${idsOf('find: cat')}`,
      `input_ids,attention_mask ${idsOf('keep: cat')}`,
    ]);
  });

  it('reads no further than the model can', async () => {
    const folder = folderWith({ 'config.json': { hidden_size: 64, max_position_embeddings: 8 } });
    await (await open(folder)).embed(['one two three four five six seven eight nine ten']);
    expect(lengthOf(logOf(folder)[1])).toBe(8);
  });

  it('gives an English model the glosses of Japanese words', async () => {
    const folder = folderWith();
    await (await open(folder)).embed(['Kyoto の猫']);
    expect(` ${logOf(folder)[1]} `).toContain(` ${wordPiece.encode('cat').join(' ')} `);
    expect(` ${logOf(folder)[1]} `).toContain(` ${wordPiece.encode('kyoto').join(' ')} `);
  });

  it('leaves Japanese to a model whose vocabulary has it', async () => {
    const own = Array.from({ length: 3_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const folder = folderWith({
      'vocab.txt': ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '猫', ...own].join('\n'),
    });
    await (await open(folder)).embed(['猫']);
    expect(logOf(folder)[1]).toBe('input_ids,attention_mask 2 4 3');
  });

  it('takes the vocabulary from tokenizer.json where there is no vocab.txt', async () => {
    const vocab = { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, cat: 3 };
    const folder = folderWith({
      'vocab.txt': undefined,
      'tokenizer.json': { model: { type: 'WordPiece', vocab } },
    });
    await (await open(folder)).embed(['cat']);
    expect(logOf(folder)[1]).toBe('input_ids,attention_mask 1 3 2');
  });

  it('is named after its folder and weights, and opens by that name', async () => {
    const folder = folderWith();
    const before = await open(folder);
    expect(before.model).toMatch(new RegExp(`^${folder}@[0-9a-f]{8}$`));
    expect((await open(before.model)).model).toBe(before.model);
    writeFileSync(join(folder, 'onnx/model.onnx'), 'weighty');
    expect((await open(folder)).model).not.toBe(before.model);
  });

  it('prefers full precision', async () => {
    const quantised = folderWith({ 'onnx/model_quantized.onnx': 'q8' });
    const { model } = await open(quantised);
    rmSync(join(quantised, 'onnx/model.onnx'));
    expect((await open(quantised)).model).not.toBe(model);
  });

  it('says how to install a configured runtime that is not there', async () => {
    const folder = folderWith({ 'node_modules/onnxruntime-node/index.js': undefined });
    const embedder = await open(folder);
    const repair = `run \`npm install --ignore-scripts --prefix "${folder}" onnxruntime-node\``;
    await expect(embedder.embed(['cat'])).rejects.toMatchObject({
      code: 'PROVIDER',
      message: expect.stringMatching(
        /^expected `embedder.runtime` to be the folder .* there is no/,
      ),
      data: { status: null, retryable: false, repair },
    });
  });

  it('never loads a runtime from beside the model, and names the line to add', async () => {
    const folder = folderWith();
    const embedder = await openEmbedder({ ...settingsFor(folder), runtime: undefined });
    await expect(embedder?.embed(['cat'])).rejects.toMatchObject({
      message: expect.stringContaining(`"runtime": "${runtimeIn(folder)}"`),
    });
    expect(() => logOf(folder)).toThrow('ENOENT');
    await embedder?.close();
  });

  it('says that a runtime is there and broken, and works once it is whole', async () => {
    const file = 'node_modules/onnxruntime-node/index.js';
    const folder = folderWith({ [file]: 'throw new Error("wrong platform")' });
    const embedder = await open(folder);
    await expect(embedder.embed(['cat'])).rejects.toThrow('cannot be loaded: run `npm install');
    cpSync(join(folderWith(), file), join(folder, file));
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('keeps what the runtime prints from stdout', async () => {
    const write = vi.spyOn(process.stdout, 'write');
    try {
      const embedder = await open(folderWith());
      await embedder.embed(['cat']);
      await embedder.close();
      expect(write.mock.calls.join()).not.toContain('a runtime that talks');
    } finally {
      write.mockRestore();
    }
  });

  it.each<[string, ModelFiles]>([
    ['no description', { 'config.json': undefined }],
    ['no weights', { 'onnx/model.onnx': undefined }],
    ['no vocabulary', { 'vocab.txt': undefined }],
  ])('refuses a folder with %s, saying what belongs there', async (_, files) => {
    const folder = folderWith(files);
    await expect(openEmbedder(settingsFor(folder))).rejects.toMatchObject({
      code: 'PROVIDER',
      message: expect.stringMatching(/to be a folder with `config.json`, `model.onnx`/),
      data: { retryable: false },
    });
  });

  it.each([
    ['', 'needs `embedder.model`'],
    ['some/model', 'expected `embedder.model` to be the absolute path'],
    ['/nowhere/at/all', 'expected `/nowhere/at/all` to be a folder with'],
  ])('refuses the model %j', async (model, message) => {
    await expect(openEmbedder(settingsFor(model))).rejects.toThrow(message);
  });

  it.each<[string, ModelFiles, string]>([
    ['a description that is no JSON', { 'config.json': '{' }, 'config.json` to be JSON'],
  ])('refuses %s', async (_, files, message) => {
    await expect(openEmbedder(settingsFor(folderWith(files)))).rejects.toThrow(message);
  });

  it.each<[string, ModelFiles]>([
    ['no markers', { 'vocab.txt': 'cat\ndog' }],
    ['no JSON', { 'vocab.txt': undefined, 'tokenizer.json': '{' }],
    ['another kind', { 'vocab.txt': undefined, 'tokenizer.json': { model: { type: 'BPE' } } }],
  ])('refuses a vocabulary with %s', async (_, files) => {
    const embedder = await open(folderWith(files));
    await expect(embedder.embed(['cat'])).rejects.toMatchObject({
      code: 'PROVIDER',
      message: expect.stringContaining('to hold a WordPiece vocabulary'),
    });
  });

  it('goes on after a failed inference and after the death of its thread', async () => {
    const embedder = await open(folderWith());
    const [failing, deadly] = ['per', 'answer'];
    await expect(embedder.embed([failing])).rejects.toThrow('kaboom');
    expect(await embedder.embed(['cat'])).toHaveLength(1);
    await expect(embedder.embed([deadly])).rejects.toThrow('the thread of the embedding model');
    expect(await embedder.embed(['cat'])).toHaveLength(1);
  });

  it('can be closed twice, and tells those who wait', async () => {
    const embedder = await open(folderWith());
    const waiting = embedder.embed(['cat']);
    await Promise.all([
      expect(waiting).rejects.toThrow('the embedding model was closed'),
      embedder.close(),
    ]);
    await embedder.close();
  });
});
