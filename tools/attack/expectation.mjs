// What an answer must be: plain values are matched as they are, objects by the members they name, patterns
// against text, and functions are asked.

/** Where and how a value differs from what was expected; undefined when it does not. */
export function mismatch(actual, expected, path = 'answer') {
  if (typeof expected === 'function') {
    return expected(actual) ? undefined : `${path}: ${show(actual)} is not ${expected.name}`;
  }
  if (expected instanceof RegExp) {
    const text = typeof actual === 'string' ? actual : JSON.stringify(actual);
    return expected.test(text ?? '')
      ? undefined
      : `${path}: ${show(actual)} does not match ${expected}`;
  }
  if (typeof expected !== 'object' || expected === null) {
    if (Object.is(actual, expected)) return undefined;
    return `${path}: expected ${show(expected)}, got ${show(actual)}`;
  }
  if (typeof actual !== 'object' || actual === null) {
    return `${path}: expected ${show(expected)}, got ${show(actual)}`;
  }
  if (Array.isArray(expected) && actual.length !== expected.length) {
    return `${path}: expected ${expected.length} items, got ${actual.length}: ${show(actual)}`;
  }
  for (const [name, value] of Object.entries(expected)) {
    const problem = mismatch(actual[name], value, `${path}.${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Matches any of some expectations. */
export function oneOf(...expected) {
  return named(`one of ${expected.map(show).join(', ')}`, (actual) =>
    expected.some((one) => mismatch(actual, one) === undefined),
  );
}

/** Matches what an expectation does not. */
export function not(expected) {
  return named(
    `anything but ${show(expected)}`,
    (actual) => mismatch(actual, expected) !== undefined,
  );
}

/** Matches whatever a test accepts, under a name for the report. */
export function named(name, test) {
  return Object.defineProperty((actual) => test(actual), 'name', { value: name });
}

function show(value) {
  if (typeof value === 'function') return value.name;
  if (value instanceof RegExp) return String(value);
  const text = JSON.stringify(value, (_, member) =>
    typeof member === 'function' ? member.name : member instanceof RegExp ? String(member) : member,
  );
  return text !== undefined && text.length > 300 ? `${text.slice(0, 300)}…` : String(text);
}
