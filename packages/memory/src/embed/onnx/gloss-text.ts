import { readDataFile } from '../local/data-file.ts';
import { findDataFolder } from '../local/data-folder.ts';
import { readBridge, readBridgeManifest } from '../local/japanese-bridge.ts';
import { japaneseRun, japaneseWords } from '../local/japanese-words.ts';
import { readStaticManifest } from '../local/static-model.ts';

/** Turns the Japanese of a text into English. */
export type Gloss = (text: string) => string;

/** A vocabulary with as many ideographs as this reads them itself; that of an English BERT has some 700. */
const OWN_IDEOGRAPHS = 2_000;
const ideograph = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const continuation = '##';

/** Whether a model's vocabulary leaves Japanese to the dictionary. */
export function needsGloss(vocabulary: readonly string[]): boolean {
  return vocabulary.filter((piece) => ideograph.test(piece)).length < OWN_IDEOGRAPHS;
}

/** Loads the dictionary that ships with the package. */
export async function openGloss(folder: URL = findDataFolder(import.meta.url)): Promise<Gloss> {
  const bridgeFolder = new URL('japanese/', folder);
  const [pieces, bridge] = await Promise.all([
    readPieces(new URL('static/', folder)),
    readBridgeManifest(bridgeFolder).then((manifest) => readBridge(bridgeFolder, manifest)),
  ]);
  return (text) =>
    text.normalize('NFKC').replace(japaneseRun, (run) => {
      const words = [...japaneseWords(run, bridge)].map(({ word }) =>
        joinPieces([...bridge.glossesOf(word).pieces].map((id) => pieces[id] ?? '')),
      );
      return ` ${words.join(' ')} `;
    });
}

/** The dictionary's glosses are word pieces of the static model. */
async function readPieces(folder: URL): Promise<readonly string[]> {
  const { files } = await readStaticManifest(folder);
  const bytes = await readDataFile(folder, 'vocab.txt', files['vocab.txt']);
  return bytes.toString('utf8').trimEnd().split('\n');
}

function joinPieces(pieces: readonly string[]): string {
  return pieces.join(' ').replaceAll(` ${continuation}`, '');
}
