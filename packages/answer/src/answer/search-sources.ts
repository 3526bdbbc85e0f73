import { type LooseObject, objectOf, textOf } from '../loose-json.ts';
import { cleanUrl } from './clean-url.ts';

/** A page or data source the search returned. */
export interface SearchSource {
  readonly url: string;
  readonly title?: string;
  readonly publishedAt?: string;
}

/** The search calls of a response. */
export function searchCalls(output: readonly unknown[]): readonly LooseObject[] {
  return output.map(objectOf).filter((item) => item['type'] === 'web_search_call');
}

/** How many searches were run; pages opened and passages looked up are not searches. */
export function countSearches(output: readonly unknown[]): number {
  const isSearch = (item: LooseObject): boolean =>
    ['search', undefined].includes(textOf(objectOf(item['action'])['type']));
  return searchCalls(output).filter(isSearch).length;
}

/** Everything the searches returned, in order, each address once. */
export function searchSources(output: readonly unknown[]): readonly SearchSource[] {
  const byUrl = new Map<string, SearchSource>();
  for (const call of searchCalls(output)) {
    const { sources } = objectOf(call['action']);
    // An opened page has no list of sources, but an address somewhere in its action.
    const found = Array.isArray(sources) ? sources.map(sourceOf) : harvest(call);
    for (const source of found) {
      if (source !== undefined && !byUrl.has(source.url)) byUrl.set(source.url, source);
    }
  }
  return [...byUrl.values()];
}

/** Whether a source has an address, and is not an id such as `oai-weather`. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function sourceOf(raw: unknown): SearchSource | undefined {
  if (typeof raw === 'string')
    return textOf(raw) === undefined ? undefined : { url: cleanUrl(raw) };
  const source = objectOf(raw);
  const url = textOf(source['url']) ?? textOf(source['link']);
  const name = textOf(source['name']);
  // A data source of the provider has a name in place of an address.
  if (url === undefined) return name === undefined ? undefined : named(name, source);
  const title = textOf(source['title']) ?? name;
  const publishedAt = dateOf(source);
  return {
    url: cleanUrl(url),
    ...(title !== undefined && { title }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

function named(name: string, source: LooseObject): SearchSource {
  const type = textOf(source['type']);
  return { url: name, ...(type !== undefined && { title: type }) };
}

function dateOf(source: LooseObject): string | undefined {
  for (const key of ['published_at', 'published_date', 'date']) {
    const day = textOf(source[key])?.match(/\d{4}-\d{2}-\d{2}/)?.[0];
    if (day !== undefined) return day;
  }
  return undefined;
}

const deepest = 8;
const mostUrls = 50;

function harvest(value: unknown, depth = 0): SearchSource[] {
  if (typeof value === 'string') return isWebAddress(value) ? [{ url: cleanUrl(value) }] : [];
  if (typeof value !== 'object' || value === null || depth >= deepest) return [];
  return Object.values(value)
    .flatMap((item) => harvest(item, depth + 1))
    .slice(0, mostUrls);
}
