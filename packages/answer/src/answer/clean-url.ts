/** An address without the mark the search tool leaves on it; everything else stays as it was. */
export function cleanUrl(url: string): string {
  return url.replace(/([?&])utm_source=(?:openai|chatgpt\.com)(&|(?=#)|$)/, (_, lead, tail) =>
    tail === '&' ? lead : '',
  );
}

/** Two addresses of one page give the same text. */
export function comparableUrl(url: string): string {
  return cleanUrl(url)
    .replace(/#.*$/, '')
    .replace(/\/$/, '')
    .replace(/^http:/i, 'https:');
}
