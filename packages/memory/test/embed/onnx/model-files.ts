import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbedderSettings } from '../../../src/embed/embedder-settings.ts';

/** Files by name; a value that is no string is written as JSON, and `undefined` leaves the file out. */
export type ModelFiles = Readonly<Record<string, unknown>>;

/** A runtime that gives each token a state of its own: one at the place its number names, and one at its position. */
const fakeRuntime = `
  const { appendFileSync } = require('node:fs');
  const { join } = require('node:path');
  const dim = 64;
  console.log('a runtime that talks');
  exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
  exports.InferenceSession = {
    async create(path, options) {
      appendFileSync(join(__dirname, 'log'), 'create ' + JSON.stringify(options) + '\\n');
      return {
        inputNames: ['input_ids', 'attention_mask'],
        outputNames: ['last_hidden_state'],
        async run(inputs) {
          const ids = [...inputs.input_ids.data].map(Number);
          appendFileSync(join(__dirname, 'log'), Object.keys(inputs).join() + ' ' + ids.join(' ') + '\\n');
          if (ids.includes(2566)) throw new Error('kaboom');
          if (ids.includes(3437)) process.exit(3);
          const data = new Float32Array(ids.length * dim);
          ids.forEach((id, i) => { data[i * dim + (id % dim)] += 1; data[i * dim] += i === 0 ? 1 : 0; });
          return { last_hidden_state: { data, dims: [1, ids.length, dim] } };
        },
      };
    },
  };
`;

const usual: ModelFiles = {
  'config.json': { hidden_size: 64, max_position_embeddings: 512 },
  'onnx/model.onnx': 'weights',
  'node_modules/onnxruntime-node/index.js': fakeRuntime,
};

/** Writes a model and, below it, a fake runtime into a fresh folder, which nobody else can change. */
export function writeModel(files: ModelFiles = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-model-'));
  const all: ModelFiles = { ...usual, ...files };
  for (const [name, content] of Object.entries(all)) {
    if (content === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o755 });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(folder, name), text, { mode: 0o644 });
  }
  if (!('vocab.txt' in all)) copyFileSync(englishVocabulary, join(folder, 'vocab.txt'));
  return folder;
}

/** The vocabulary of the static model, which is that of BERT. */
export const englishVocabulary: string = fileURLToPath(
  new URL('../../../data/static/vocab.txt', import.meta.url),
);

/** Where {@link writeModel} puts the runtime. */
export const runtimeIn = (folder: string): string => join(folder, 'node_modules/onnxruntime-node');

/** Settings that name a folder and the runtime that the owner installed there. */
export const settingsFor = (
  model: string,
  runtime: string | undefined = runtimeIn(model.replace(/@[0-9a-f]{8}$/, '')),
): EmbedderSettings => ({
  provider: 'onnx',
  model,
  dim: 0,
  baseUrl: null,
  apiKey: undefined,
  runtime,
});
