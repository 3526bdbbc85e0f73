import { hasJapanese } from '../local/text-pieces.ts';
import { WordPiece } from '../local/word-piece.ts';
import { type Gloss, needsGloss, openGloss } from './gloss-text.ts';
import type { ModelFolder } from './model-folder.ts';
import { pool } from './pool.ts';
import { readVocabulary } from './read-vocabulary.ts';
import { loadRuntime, type OnnxSession, type OnnxTensor } from './runtime.ts';

/** A model in memory. It works on the thread that opened it, and blocks it. */
export interface Transformer {
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/** A text of more characters than this is cut before it is read: no model looks that far. */
const MAX_CHARACTERS = 20_000;
/** Outputs by preference: a vector for each text, or states of its tokens. */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

/** What a transformer is made of. */
export interface TransformerFiles {
  readonly model: ModelFolder;
  /** Folder of the runtime that the owner configured; absent: the program's own installation. */
  readonly runtime: string | undefined;
}

/** Loads runtime, vocabulary and weights of a model. */
export async function openTransformer({ model, runtime }: TransformerFiles): Promise<Transformer> {
  const { InferenceSession, Tensor } = loadRuntime(runtime, { modelPath: model.path });
  const vocabulary = await readVocabulary(model.vocabulary);
  const wordPiece = new WordPiece(vocabulary);
  const [cls, sep] = ['[CLS]', '[SEP]'].map((piece) => vocabulary.indexOf(piece)) as [
    number,
    number,
  ];
  const isGlossed = needsGloss(vocabulary);
  const session = await InferenceSession.create(model.weights, {
    // One thread: the server's own work comes first.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  let gloss: Promise<Gloss> | undefined;

  async function encode(text: string): Promise<number[]> {
    let plain = text.slice(0, MAX_CHARACTERS);
    if (isGlossed && hasJapanese(plain)) {
      gloss ??= openGloss();
      plain = (await gloss)(plain);
    }
    return [cls, ...wordPiece.encode(plain).slice(0, model.maxPieces - 2), sep];
  }

  function inputsOf(ids: readonly number[]): Record<string, OnnxTensor> {
    const shape = [1, ids.length];
    const tensor = (data: BigInt64Array): OnnxTensor => new Tensor('int64', data, shape);
    const all: Record<string, OnnxTensor> = {
      input_ids: tensor(BigInt64Array.from(ids, BigInt)),
      attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    };
    return Object.fromEntries(
      Object.entries(all).filter(([name]) => session.inputNames.includes(name)),
    );
  }

  return {
    async embed(texts) {
      const vectors: Float32Array[] = [];
      // One at a time: quantised models give a text another vector in other company, and on one
      // thread a batch is no faster.
      for (const text of texts) {
        const outputs = await session.run(inputsOf(await encode(text)));
        vectors.push(pool(outputOf(session, outputs), model.pooling));
      }
      return vectors;
    },
  };
}

function outputOf(
  { outputNames }: OnnxSession,
  outputs: Readonly<Record<string, OnnxTensor>>,
): OnnxTensor {
  const name = OUTPUTS.find((each) => outputNames.includes(each)) ?? outputNames[0] ?? '';
  const output = outputs[name];
  if (output === undefined) throw new TypeError('expected the model to have an output');
  return output;
}
