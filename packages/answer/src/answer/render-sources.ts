import type { Citation } from './result.ts';

const ownList = /^[#*_\s]*sources?[*_\s]*:|^[#*_\s]*sources?[*_\s]*$/im;

/** The answer with its sources listed once: a list the model wrote itself is left as it is. */
export function withSources(answer: string, citations: readonly Citation[]): string {
  if (citations.length === 0 || ownList.test(answer)) return answer;
  const lines = citations.map(({ url, published_at: published }) =>
    published === undefined ? `- ${url}` : `- ${url} (${published})`,
  );
  return `${answer}\n\nSources:\n${lines.join('\n')}`;
}
