import { type LooseObject, listOf, objectOf, textOf } from '../loose-json.ts';

/** One text part of a response, with its annotations and its place in the joined answer. */
export interface TextPart {
  readonly text: string;
  readonly annotations: readonly LooseObject[];
  /** Where the part begins in the joined text. */
  readonly offset: number;
}

const separator = '\n\n';

/** The text parts of all messages, in order; they are joined by a blank line. */
export function textParts(output: readonly unknown[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let offset = 0;
  for (const content of contents(output)) {
    const text = textOf(content['text']);
    if (content['type'] !== 'output_text' || text === undefined) continue;
    parts.push({ text, offset, annotations: listOf(content['annotations']).map(objectOf) });
    offset += text.length + separator.length;
  }
  return parts;
}

/** The whole answer text. */
export function outputText(output: readonly unknown[]): string {
  return textParts(output)
    .map(({ text }) => text)
    .join(separator);
}

/** What the model said when it declined, if it did. */
export function refusalText(output: readonly unknown[]): string | undefined {
  for (const content of contents(output)) {
    if (content['type'] === 'refusal') return textOf(content['refusal']) ?? 'no reason given';
  }
  return undefined;
}

function contents(output: readonly unknown[]): readonly LooseObject[] {
  return output
    .map(objectOf)
    .filter((item) => item['type'] === 'message')
    .flatMap((item) => listOf(item['content']).map(objectOf));
}
