/** Request parts that an upstream may not know; dropping one changes the manner, not the question. */
export const droppable = [
  'reasoning',
  'verbosity',
  'include',
  'filters',
  'search_context_size',
  'user_location',
  'web_search',
  'store',
  'stream_options',
] as const;

/** Name of a droppable request part. */
export type Droppable = (typeof droppable)[number];

/** Whether a model takes `reasoning` and `verbosity`, as far as its name tells. */
export function takesManner(
  model: string,
  parameters: 'auto' | 'always' | 'never',
): { readonly reasoning: boolean; readonly verbosity: boolean } {
  if (parameters !== 'auto') {
    return { reasoning: parameters === 'always', verbosity: parameters === 'always' };
  }
  // Named are the old families that refuse; an unknown name is taken for a new one.
  const isOld = /^(gpt-[34](?!\d)|chatgpt-|text-|davinci|babbage)/.test(model);
  const isOSeries = /^o\d/.test(model);
  return { reasoning: !isOld, verbosity: !isOld && !isOSeries };
}

/** Which part an upstream's complaint is about, if it is one that can be dropped. */
export function rejectedPart(param: string | undefined, message: string): Droppable | undefined {
  // Some efforts rule out some tools: the manner gives way, not the search.
  if (message.includes('reasoning.effort')) return 'reasoning';
  // Named outright, in quotes, or after the word "parameter": loose words prove nothing.
  const quoted = [...message.matchAll(/['"`]([\w.[\]]+)['"`]/g)].map(([, name]) => name);
  const told = message.match(/parameters?:?\s+([\w.[\]]+)/i)?.[1];
  for (const name of [param, ...quoted, told]) {
    const part = signs.find(([, sign]) => name !== undefined && sign.test(name))?.[0];
    if (part !== undefined) return part;
  }
  return undefined;
}

// From the narrowest to the widest, so that a complaint about a filter keeps the search.
const signs: readonly (readonly [Droppable, RegExp])[] = [
  ['filters', /filters|allowed_domains/],
  ['search_context_size', /search_context_size/],
  ['user_location', /user_location/],
  ['verbosity', /verbosity|^text$/],
  ['reasoning', /^reasoning/],
  ['include', /^include|action\.sources/],
  ['stream_options', /^stream_options/],
  ['store', /^store$/],
  ['web_search', /^web_search|^tools?\b|^tool_choice$/],
];
