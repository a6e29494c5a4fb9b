import { createHash } from 'node:crypto';

/** The names of the statements that the transactions of a pool repeat. */
export interface StatementNames {
  /** Returns the name under which to prepare a statement; null if it is too rare or too long. */
  find: (text: string) => string | null;
  /** Returns a prepared statement as it is sent now: after a renewal, it is another one for PostgreSQL and poolers. */
  qualify: (statement: Named) => Qualified;
  /**
   * Lets all connections prepare all statements again, because a migration has changed the columns of one that was sent
   * as of `generation`. Does nothing if that has happened since.
   */
  renew: (generation: number) => void;
}

interface Named {
  name: string;
  text: string;
}

/** A statement with the number of renewals before it. */
interface Qualified extends Named {
  generation: number;
}

/** Each connection prepares each of them. */
const MAX_NAMES = 200;

const FROM_USE = 3;

const MAX_LENGTH = 10_000;

/** The number of rare statements whose uses are counted. */
const MAX_COUNTED = 2_000;

/**
 * Creates the names for one pool. A statement gets a name at its third use, so PostgreSQL parses and plans it once for
 * each connection. Only statements of transactions should get names: the best plan of a search depends on its values.
 */
export function createStatementNames(): StatementNames {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let generation = 0;
  return {
    find: (text) => {
      const known = names.get(text);
      if (known !== undefined) return known;
      if (names.size >= MAX_NAMES || text.length > MAX_LENGTH) return null;
      const count = (uses.get(text) ?? 0) + 1;
      if (count < FROM_USE) {
        if (uses.size >= MAX_COUNTED) uses.clear();
        uses.set(text, count);
        return null;
      }
      uses.delete(text);
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, 24);
      const name = `repeated_${digest}`;
      names.set(text, name);
      return name;
    },
    qualify: ({ name, text }) =>
      generation === 0
        ? { name, text, generation }
        : // PgBouncer recognizes a statement by its text.
          { name: `${name}_${generation}`, text: `${text} /* ${generation} */`, generation },
    renew: (outdated) => {
      if (outdated === generation) generation += 1;
    },
  };
}
