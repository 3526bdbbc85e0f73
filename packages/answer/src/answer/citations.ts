import { type LooseObject, objectOf, textOf } from '../loose-json.ts';
import { textParts } from '../provider/output-text.ts';
import { cleanUrl, comparableUrl } from './clean-url.ts';
import type { Citation } from './result.ts';
import { isWebAddress, type SearchSource, searchCalls, searchSources } from './search-sources.ts';

/** How citations are made. */
export interface CitationOptions {
  readonly maxCitations: number;
  /** Whether an unknown publication date is left out or filled with the day of access. */
  readonly dates: 'known' | 'access';
  /** The day of access. */
  readonly today: string;
}

/** Whether the model went to the web for this answer. */
export function usedSearch(output: readonly unknown[]): boolean {
  return searchCalls(output).length > 0 || annotated(output).length > 0;
}

/**
 * What an answer rests on: the passages the model marked, then sources without an address; when
 * nothing was marked, everything the search returned.
 */
export function citationsOf(
  output: readonly unknown[],
  { maxCitations, dates, today }: CitationOptions,
): readonly Citation[] {
  const marked = annotated(output);
  const sources = searchSources(output);
  const listed = new Map(sources.map((source) => [comparableUrl(source.url), source]));
  const extra = marked.length === 0 ? sources : sources.filter(({ url }) => !isWebAddress(url));
  return [...marked, ...extra].slice(0, maxCitations).map((found) => {
    const source = listed.get(comparableUrl(found.url));
    const title = found.title ?? source?.title;
    const published = source?.publishedAt ?? (dates === 'access' ? today : undefined);
    return {
      url: found.url,
      ...(title !== undefined && { title }),
      ...(published !== undefined && { published_at: published }),
      accessed_at: today,
      ...('spans' in found && found.spans.length > 0 && { spans: found.spans }),
      verified: verdict(found.url, source),
    };
  });
}

interface Marked {
  readonly url: string;
  title?: string;
  readonly spans: (readonly [number, number])[];
}

/** The addresses the model cited, each once, with every passage that rests on it. */
function annotated(output: readonly unknown[]): readonly Marked[] {
  const byUrl = new Map<string, Marked>();
  for (const { text, offset, annotations } of textParts(output)) {
    for (const annotation of annotations) {
      if (annotation['type'] !== 'url_citation') continue;
      // Chat completions nest what the Responses API has flat.
      const body = { ...annotation, ...objectOf(annotation['url_citation']) };
      const url = textOf(body['url']);
      if (url === undefined) continue;
      const clean = cleanUrl(url);
      const marked = byUrl.get(clean) ?? { url: clean, spans: [] };
      byUrl.set(clean, marked);
      const title = textOf(body['title']);
      if (title !== undefined) marked.title ??= title;
      const span = spanOf(body, text.length);
      if (span !== undefined) marked.spans.push([span[0] + offset, span[1] + offset]);
    }
  }
  return [...byUrl.values()];
}

function spanOf(body: LooseObject, length: number): readonly [number, number] | undefined {
  const { start_index: start, end_index: end } = body;
  if (!Number.isInteger(start) || !Number.isInteger(end)) return undefined;
  const span = [Number(start), Number(end)] as const;
  return span[0] >= 0 && span[0] < span[1] && span[1] <= length ? span : undefined;
}

function verdict(url: string, source: SearchSource | undefined): Citation['verified'] {
  if (source !== undefined) return 'source-list';
  return isWebAddress(url) && URL.canParse(url) ? 'unverified' : 'broken';
}
