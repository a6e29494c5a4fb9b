const ATTEMPTS = 20;

/**
 * Stores a record under a random number, and under another one while that is taken (`insert` gives undefined). After
 * many failures `insert` is asked for one digit more: more than half of the numbers of that length are used then.
 */
export async function insertWithUniqueNumber<Row>(
  insert: (moreDigits: 0 | 1) => Promise<Row | undefined>,
): Promise<Row> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await insert(attempt < ATTEMPTS / 2 ? 0 : 1);
    if (row !== undefined) return row;
  }
  throw new Error('no free number found');
}
