import { readdirSync, readFileSync } from 'node:fs';

const header =
  /^([ \t]*)def (\w+)(\([^()]*(?:\([^()]*\)[^()]*)*\))[^:\n]*:\s*\n[ \t]+[rR]?("""|''')([\s\S]*?)\4[ \t]*\n/gm;
const folderOfTests = /(^|\/)(tests?|testing|lib2to3|idlelib|externals|_vendor)(\/|$)/;
const testFile = /(^|\/)(test_|conftest)[^/]*$/;

/** Functions with a docstring below a folder: name, first sentence of the docstring, and the code without it. */
export function readPythonFunctions(folder, { maxBody }) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((file) => !folderOfTests.test(file) && !testFile.test(file))
    .sort()
    .flatMap((file) => [...functionsIn(readFileSync(file, 'utf8'), maxBody)]);
}

function* functionsIn(text, maxBody) {
  for (const match of text.matchAll(header)) {
    const [whole, indent, name, parameters, , docstring] = match;
    const summary = firstSentence(docstring);
    if (summary.split(' ').length < 3) continue;
    const body = bodyAfter(text, match.index + whole.length, indent.length).slice(0, maxBody);
    if (body.trim() === '') continue;
    yield { name, summary, code: `def ${name}${parameters}:\n${body}` };
  }
}

function firstSentence(docstring) {
  const paragraph = docstring.trim().split(/\n\s*\n/)[0] ?? '';
  const line = paragraph.replace(/\s+/g, ' ').replace(/[`*]|:\w+:/g, '');
  return line
    .replace(/\.\s.*$/, '')
    .replace(/\.$/, '')
    .slice(0, 200);
}

/** Everything that is indented deeper than the `def`. */
function bodyAfter(text, from, indent) {
  const lines = [];
  for (const line of text.slice(from, from + 8_000).split('\n')) {
    if (line.trim() !== '' && line.search(/\S/) <= indent) break;
    lines.push(line.slice(indent));
  }
  return lines.join('\n').trimEnd();
}
