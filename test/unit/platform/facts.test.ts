import { withFacts } from '../../../src/platform/database/facts';
import type { Tx } from '../../../src/platform/database/transaction';

// The loaders below read nothing.
const tx = {} as Tx;

/** Loads the letters of words, one at a time, and notes each question. */
function createLoaders() {
  const asked: string[] = [];
  return {
    asked,
    loaders: {
      length(_tx: Tx, { word }: { word: string }) {
        asked.push(`length of ${word}`);
        return Promise.resolve(word.length);
      },
      nothing(_tx: Tx, word: string) {
        asked.push(`nothing about ${word}`);
        return Promise.resolve(undefined);
      },
      initial: (_tx: Tx, word: string) => word.charAt(0),
      broken: (_tx: Tx, word: string): Promise<number> => Promise.reject(new Error(`no ${word}`)),
    },
  };
}

test('a decision runs again from its beginning for each fact that is not in memory', async () => {
  const { asked, loaders } = createLoaders();
  let runs = 0;
  const decided = await withFacts(tx, loaders, (facts) => {
    runs += 1;
    const shirt = facts.length({ word: 'shirt' });
    const mug = facts.length({ word: 'mug' });
    return `${facts.initial('shirt')}${shirt}${facts.initial('mug')}${mug}`;
  });
  expect(decided).toBe('s5m3');
  expect(asked).toEqual(['length of shirt', 'length of mug']);
  expect(runs).toBe(3);
});

test('a fact is loaded once for each question, in the order of the questions, also if there is none', async () => {
  const { asked, loaders } = createLoaders();
  const sum = await withFacts(tx, loaders, (facts) => {
    const none = facts.nothing('mug') ?? 0;
    return (
      none + facts.length({ word: 'mug' }) + facts.length({ word: 'mug' }) + facts.length({ word: 'bag' })
    );
  });
  expect(sum).toBe(9);
  expect(asked).toEqual(['nothing about mug', 'length of mug', 'length of bag']);
});

test('a fact holds for one decision', async () => {
  const { asked, loaders } = createLoaders();
  await withFacts(tx, loaders, (facts) => facts.length({ word: 'mug' }));
  await withFacts(tx, loaders, (facts) => facts.length({ word: 'mug' }));
  expect(asked).toHaveLength(2);
});

test('a fact that is needed in one case only is not loaded in the others', async () => {
  const { asked, loaders } = createLoaders();
  const decided = await withFacts(tx, loaders, (facts) =>
    facts.initial('mug') === 's' ? facts.length({ word: 'mug' }) : 0,
  );
  expect(decided).toBe(0);
  expect(asked).toEqual([]);
});

test('the errors of loaders and of the decision are thrown', async () => {
  const { loaders } = createLoaders();
  await expect(withFacts(tx, loaders, (facts) => facts.broken('mug'))).rejects.toThrow('no mug');
  const refuse = (): never => {
    throw new RangeError('refused');
  };
  await expect(
    withFacts(tx, loaders, (facts) => (facts.length({ word: 'a' }) > 0 ? refuse() : 0)),
  ).rejects.toThrow(RangeError);
});
