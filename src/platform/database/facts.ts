import type { Tx } from './transaction';

/**
 * The functions that load facts, by their names. `ask` says which fact, in a few plain values: equal questions are answered
 * once. What is in memory is returned without a promise.
 */
export type FactLoaders = Readonly<Record<string, (tx: Tx, ask: never) => unknown>>;

/** Loaders of the same facts, some of which may be known. */
export type LoadersOf<Loaders extends FactLoaders> = {
  readonly [Name in keyof Loaders]: (
    tx: Tx,
    ask: Parameters<Loaders[Name]>[1],
  ) => ReturnType<Loaders[Name]> | Awaited<ReturnType<Loaders[Name]>>;
};

/** What a decision may ask: each function returns a fact, or interrupts the decision until the fact is loaded. */
export type Facts<Loaders extends FactLoaders> = {
  readonly [Name in keyof Loaders]: (ask: Parameters<Loaders[Name]>[1]) => Awaited<ReturnType<Loaders[Name]>>;
};

/** Interrupts a decision that lacks a fact. */
class Missing extends Error {
  constructor(
    readonly question: string,
    readonly loading: Promise<unknown>,
  ) {
    super(`${question} is not loaded`);
  }
}

/**
 * Makes a decision, which is a pure and synchronous function of facts and of values that do not change. A fact that it lacks is
 * loaded, and it runs again from its beginning. So a fact is loaded when it is needed, once for each question, and in the
 * order of the questions, which matters for facts that are read with a lock. Facts hold for one decision.
 * @throws any error of the decision or of a loader
 */
export async function withFacts<Loaders extends FactLoaders, Result>(
  tx: Tx,
  loaders: Loaders,
  decide: (facts: Facts<Loaders>) => Result extends PromiseLike<unknown> ? never : Result,
): Promise<Result> {
  const known = new Map<string, unknown>();
  const facts = buildFacts(tx, loaders, known);
  for (;;) {
    try {
      return decide(facts);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      known.set(error.question, await error.loading);
    }
  }
}

function buildFacts<Loaders extends FactLoaders>(
  tx: Tx,
  loaders: Loaders,
  known: ReadonlyMap<string, unknown>,
): Facts<Loaders> {
  const answer = (name: string, load: FactLoaders[string]) => (ask: never) => {
    const question = `${name} ${JSON.stringify(ask)}`;
    if (known.has(question)) return known.get(question);
    const fact = load(tx, ask);
    if (fact instanceof Promise) throw new Missing(question, fact);
    return fact;
  };
  const facts = Object.entries(loaders).map(([name, load]) => [name, answer(name, load)]);
  // The functions have the names, the questions and the results of the loaders.
  return Object.fromEntries(facts) as Facts<Loaders>;
}
