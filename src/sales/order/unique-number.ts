const ATTEMPTS = 20;

/**
 * Inserts a record with a random number, and retries while `insert` returns undefined because the number is taken.
 * After half of the attempts `insert` gets 1 and must use one more digit, because most numbers of that length are used.
 * @throws Error after 20 attempts
 */
export async function insertWithUniqueNumber<Row>(
  insert: (moreDigits: 0 | 1) => Promise<Row | undefined>,
): Promise<Row> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await insert(attempt < ATTEMPTS / 2 ? 0 : 1);
    if (row !== undefined) return row;
  }
  throw new Error(`no unused number found in ${ATTEMPTS} attempts`);
}
