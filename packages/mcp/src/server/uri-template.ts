const VARIABLE = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables of an address of the form `note:///{id}`; undefined when it has another form. */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const names: string[] = [];
  let pattern = '';
  let end = 0;
  for (const match of template.matchAll(VARIABLE)) {
    const [whole, plus, name = ''] = match;
    pattern +=
      escapeRegExp(template.slice(end, match.index)) + (plus === '+' ? '(.+)' : '([^/?#]+)');
    names.push(name);
    end = match.index + whole.length;
  }
  pattern += escapeRegExp(template.slice(end));
  const found = new RegExp(`^${pattern}$`, 'u').exec(uri);
  if (found === null) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? '')]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A stray percent sign is itself.
    return value;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
