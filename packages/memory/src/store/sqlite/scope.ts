import { sketchOf } from '../../search/sketch.ts';
import type { NoteFilter } from '../store.ts';

/**
 * Project, group and tags as tokens of the text index, so that one index answers words and filters.
 * `§` is no letter: no word of a note can be taken for one of these. Names are spelt in hexadecimal
 * because the index folds case. Group and tag tokens name their project too: asking for one of them
 * spares the long list of the whole project.
 */
export function scopeTokens(
  project: number,
  { groupId, tags }: { readonly groupId: string; readonly tags: readonly string[] },
): string {
  return [projectToken(project), ...narrowTokens(project, { groupId, tags })].join(' ');
}

/** Tokens of a filter's group and tags. */
export function narrowTokens(
  project: number,
  { groupId, tags = [] }: Pick<NoteFilter, 'groupId' | 'tags'>,
): string[] {
  const group = groupId === undefined ? [] : [`${projectToken(project)}g${hex(groupId)}`];
  return [...group, ...new Set(tags.map((tag) => `${projectToken(project)}t${hex(tag)}`))];
}

/** Tokens by which notes of nearly the same words find each other inside their project. */
export function sketchTokens(project: number, words: Iterable<string>): string[] {
  return sketchOf(words).map((part) => `${projectToken(project)}s${part}`);
}

/** An index query for one token of the scope. */
export function tokenQuery(token: string): string {
  return `scope:${quote(token)}`;
}

/** The part of an index query that keeps to a filter's project, group and tags. */
export function scopeQuery(project: number, filter: NoteFilter): string {
  const narrow = narrowTokens(project, filter);
  const tokens = narrow.length > 0 ? narrow : [projectToken(project)];
  return `scope:(${tokens.map(quote).join(' AND ')})`;
}

/** The part of an index query that asks for any of some words. */
export function wordQuery(terms: readonly string[]): string {
  return `{title text tags}:(${terms.map(quote).join(' OR ')})`;
}

/** An index query for the notes of a project that hold a word; where it stands is not asked, which is quicker. */
export function heldQuery(project: number, term: string): string {
  return `${quote(projectToken(project))} AND ${quote(term)}`;
}

function projectToken(project: number): string {
  return `§p${project}`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`;
}
