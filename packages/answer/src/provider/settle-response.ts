import { AnswerError } from '../answer-error.ts';
import { countOf, type LooseObject, listOf, objectOf, textOf } from '../loose-json.ts';
import { bodyError } from './classify-failure.ts';
import { outputText, refusalText } from './output-text.ts';
import type { Usage } from './question.ts';

/** Lets a complete response through; a failed, cut, refused or empty one is thrown as what it is. */
export function settleResponse(response: LooseObject): readonly unknown[] {
  const output = listOf(response['output']);
  const status = textOf(response['status']) ?? 'completed';
  if (status === 'failed' || status === 'cancelled') throw failure(response, status);
  const partial = outputText(output);
  if (status !== 'completed') throw cut(response, status, partial);
  const refusal = refusalText(output);
  if (refusal !== undefined) {
    throw new AnswerError('refusal', `the model declined: ${refusal}`, {
      hint: 'rephrase the question',
    });
  }
  if (partial === '') {
    throw new AnswerError('empty', 'the model finished without any answer text', {
      retryable: true,
      hint: 'ask again, or raise `request.max_output_tokens` if it is set low',
    });
  }
  return output;
}

/** The tokens a response says it took. */
export function usageOf(response: LooseObject): Usage {
  const usage = objectOf(response['usage']);
  return {
    input: countOf(usage['input_tokens']),
    cached: countOf(objectOf(usage['input_tokens_details'])['cached_tokens']),
    output: countOf(usage['output_tokens']),
    reasoning: countOf(objectOf(usage['output_tokens_details'])['reasoning_tokens']),
  };
}

function failure(response: LooseObject, status: string): AnswerError {
  const message = `the upstream ended the response as \`${status}\``;
  return bodyError(response['error'] ?? { code: status, message });
}

function cut(response: LooseObject, status: string, partial: string): AnswerError {
  const reason = textOf(objectOf(response['incomplete_details'])['reason']);
  const hint =
    reason === 'max_output_tokens'
      ? 'raise `request.max_output_tokens` or ask for less'
      : 'rephrase the question';
  return new AnswerError('incomplete', `the answer was cut off: \`${reason ?? status}\``, {
    hint,
    ...(partial !== '' && { partial }),
  });
}
