/**
 * About how many tokens a text costs a model: four plain characters each, one for any other character.
 * Rather too many than too few, since a budget is a promise.
 */
export function estimateTokens(text: string): number {
  let plain = 0;
  let other = 0;
  for (const character of text) {
    if (character <= '\u007F') plain += 1;
    else other += 1;
  }
  return Math.ceil(plain / 4) + other;
}
