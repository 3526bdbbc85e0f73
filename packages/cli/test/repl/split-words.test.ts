import { expect, it } from 'vitest';
import { splitWords } from '../../src/repl/split-words.ts';

it.each([
  ['', []],
  ['  a  b\t c ', ['a', 'b', 'c']],
  ['echo message="hi there"', ['echo', 'message=hi there']],
  ['echo message=\'a "b"\'', ['echo', 'message=a "b"']],
  ['a\\ b', ['a b']],
  ['x="a\\"b"', ['x=a"b']],
  ['call {"a":"b"}', ['call', '{"a":"b"}']],
  ['call key:="text"', ['call', 'key:="text"']],
  ['empty ""', ['empty', '']],
])('%j has the words %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

it('a quote that is not closed is a mistake', () => {
  expect(() => splitWords('a "b')).toThrow('expected a closing "');
});
