import { describe, expect, it } from 'vitest';
import { isAnyNamed, splitNames } from '../../src/search/names.ts';

describe('names in a question', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['Where does Ana Ortega live now?', ['Ana', 'Ortega'], ['live', 'now']],
    ['when is the next release', [], ['next', 'release']],
    ['Who deploys Kestrel on Fridays?', ['Kestrel', 'Fridays'], ['deploys']],
    ['What Is The Best Way To Deploy', [], ['Best', 'Way', 'Deploy']],
    ['What did I say of it?', [], ['say']],
    ['雪見書店の昼食はどこで', ['雪見書店'], []],
    ['サーバーの置き場所', ['サーバー'], []],
    ['', [], []],
  ])('%s', (question, names, others) => {
    expect(splitNames(question)).toEqual({ names, others });
  });
});

describe('whether anybody is named', () => {
  it('asks for one of the names in one of the texts', () => {
    expect(isAnyNamed(['Ana', 'Ortega'], ['nothing', 'ortega moved'])).toBe(true);
    expect(isAnyNamed(['Ana'], ['nothing', 'Anastasia moved'])).toBe(false);
  });

  it('finds a Japanese name within longer writing', () => {
    expect(isAnyNamed(['雪見書店'], ['雪見書店定休日の予定'])).toBe(true);
    expect(isAnyNamed(['雪見書店'], ['花園美術館の鍵'])).toBe(false);
  });

  it('holds nothing against texts that could not spell it', () => {
    expect(isAnyNamed(['Ortega'], ['鍵は高橋さんが預かっている'])).toBe(true);
    expect(isAnyNamed(['雪見書店'], ['closed on Wednesdays'])).toBe(true);
  });
});
