import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { findUser } from '../../accounts/users/users.repository';
import { countOutcomes, RolledBack, type OutcomeCounts, type RowOutcome } from '../../platform/batch';
import { isBlank } from '../../platform/blank';
import { MalformedCsv, readCsv } from '../../platform/csv/read-csv';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { BLANK } from '../../platform/errors';
import type { Deps } from '../context';
import { findBrokenGroups, readBatches, type BrokenGroups, type ImportRow } from './import-batches';
import { inParts } from './in-parts';
import { removeImportFile } from './import-files';
import { createKeeper, Stopped } from './keep-claim';
import { IMPORT_KINDS, KINDS, type BatchWriter, type Cells, type ImportKind } from './import-kinds';
import {
  claimImport,
  deleteImportErrors,
  insertImportErrors,
  isOpen,
  lockClaim,
  releaseClaim,
  updateProgress,
  type Claim,
  type ImportErrorRow,
  type ImportRecord,
} from './imports.repository';

/** How often an attempt that fails without progress is repeated before the import fails. */
const MAX_ATTEMPTS = 5;
/** The number of stored errors; `failed` counts all rows. */
const MAX_ERRORS = 10_000;

export interface RunOptions {
  isRunning?: () => boolean;
  /** Only this import. */
  id?: number | null;
  /** Only imports of these kinds. */
  kinds?: readonly ImportKind[];
  /** `phase` is what `done` rows of `total` are: checked or written. */
  onProgress?: (phase: 'checked' | 'written', done: number, total: number) => void;
}

/**
 * Runs the imports that wait, one after the other. Several instances may call it at once: each import has one worker,
 * and an import that a killed worker leaves is taken over after some seconds where it stopped.
 * @returns the number of imports that this call worked on
 */
export async function runImports(deps: Deps, options: RunOptions = {}): Promise<number> {
  const { isRunning = () => true, id = null, kinds = IMPORT_KINDS } = options;
  for (let count = 0; ; count++) {
    if (!isRunning()) return count;
    const claimed_by = randomUUID();
    const record = await claimImport(deps.db, { claimed_by, kinds, id });
    if (record === null) return count;
    await runClaimed(await nameImporter(deps, record), record, {
      claim: { id: record.id, claimed_by },
      ...options,
    });
  }
}

/** Returns the dependencies with the user who sent the file as the author; without one, as they are. */
async function nameImporter(deps: Deps, { user_id }: ImportRecord): Promise<Deps> {
  const user = user_id === null ? undefined : await findUser(deps.db, user_id);
  if (user === undefined) return deps;
  const program = { api_token_name: null, request_id: null, address: null };
  return { ...deps, author: { user_id: user.id, user_email: user.email, ...program } };
}

interface Run extends RunOptions {
  claim: Claim;
}

async function runClaimed(deps: Deps, record: ImportRecord, run: Run): Promise<void> {
  try {
    if (record.attempts > MAX_ATTEMPTS)
      await finish(deps, run.claim, { state: 'failed', problem: 'an internal error' });
    else await perform(deps, record, run);
  } catch (error) {
    if (error instanceof Stopped) await releaseClaim(deps.db, run.claim);
    else if (error instanceof MalformedCsv) await failMalformed(deps, run.claim, error);
    else throw error; // the claim ends by itself, and the import is retried
  }
  await removeFile(deps, record);
}

/** Removes the file of a finished import. */
async function removeFile(deps: Deps, { id, storage_key }: ImportRecord): Promise<void> {
  if (!(await isOpen(deps.db, id))) await removeImportFile(deps, storage_key);
}

async function failMalformed(deps: Deps, claim: Claim, error: MalformedCsv): Promise<void> {
  await insertImportErrors(deps.db, claim.id, [{ line: error.line, column: null, reason: error.message }]);
  await finish(deps, claim, { state: 'failed', problem: `line ${error.line}: ${error.message}` });
}

async function finish(
  deps: Deps,
  claim: Claim,
  result: { state: 'done' | 'failed'; problem?: string },
): Promise<void> {
  await updateProgress(deps.db, claim, { ...result, finished_at: deps.now() });
}

/**
 * Reads the file up to three times: to count its rows and to find out whether it is CSV at all; to try every batch in a
 * transaction that is rolled back; and to write. A partial import writes without trying.
 */
async function perform(deps: Deps, record: ImportRecord, run: Run): Promise<void> {
  const total = record.rows ?? (await countRows(deps, record, run));
  const writer = await KINDS[record.kind].prepare({ deps, user_id: record.user_id });
  const broken = await findBrokenGroups(record.kind, () => openFile(deps, record), createKeeper(deps, run));
  const work = { deps, record, run, total, writer, broken };
  if ((!record.partial || record.dry_run) && !record.is_checked) {
    const failed = await checkRows(work);
    if (record.dry_run || failed > 0) {
      await finish(deps, run.claim, { state: record.dry_run ? 'done' : 'failed' });
      return;
    }
  }
  const isComplete = await writeRows(work);
  await finish(deps, run.claim, isComplete ? { state: 'done' } : { state: 'failed', problem: INTERRUPTED });
}

const INTERRUPTED =
  'a row was valid when the file was checked and is wrong now; the rows before its batch are written';

interface Work {
  deps: Deps;
  record: ImportRecord;
  run: Run;
  total: number;
  writer: BatchWriter;
  broken: BrokenGroups;
}

async function openFile({ storage }: Deps, { storage_key }: ImportRecord): Promise<Readable> {
  const file = await storage.open(storage_key);
  if (file === null) throw new MalformedCsv(1, 'the file is missing on this machine');
  return file.stream;
}

async function countRows(deps: Deps, record: ImportRecord, run: Run): Promise<number> {
  const keep = createKeeper(deps, run);
  let rows = -1;
  for await (const row of readCsv(await openFile(deps, record))) {
    rows += row.line > 0 ? 1 : 0;
    await keep();
  }
  if (!(await updateProgress(deps.db, run.claim, { rows: Math.max(rows, 0) }))) throw new Stopped();
  return Math.max(rows, 0);
}

/** Tries all rows and rolls them back. @returns the number of rows with errors */
async function checkRows(work: Work): Promise<number> {
  const { deps, record, run, total } = work;
  const counts = { changed: 0, unchanged: 0, failed: 0 };
  let checked = 0;
  await whileClaimed(deps, run.claim, (tx) => deleteImportErrors(tx, record.id));
  for await (const batch of readBatches(record.kind, await openFile(deps, record), work.broken)) {
    if (run.isRunning?.() === false) throw new Stopped();
    const outcomes = await inParts(batch, (rows) => tryRows(work, rows));
    const errors = listErrors(batch, outcomes, counts.failed);
    addCounts(counts, countOutcomes(outcomes));
    checked += batch.length;
    const known = record.dry_run ? counts : { failed: counts.failed };
    await whileClaimed(deps, run.claim, async (tx) => {
      await insertImportErrors(tx, record.id, errors);
      await updateProgress(tx, run.claim, { ...known, checked });
    });
    run.onProgress?.('checked', checked, total);
  }
  const isValid = counts.failed === 0;
  if (!(await updateProgress(deps.db, run.claim, { is_checked: isValid }))) throw new Stopped();
  return counts.failed;
}

/** Writes the rows that are not yet written. @returns false if a row of a complete import is wrong */
async function writeRows(work: Work): Promise<boolean> {
  const { deps, record, run, total } = work;
  const state = { ...record };
  const keep = createKeeper(deps, run);
  let read = 0;
  for await (const batch of readBatches(record.kind, await openFile(deps, record), work.broken)) {
    const done = read;
    read += batch.length;
    await keep();
    if (read <= state.position) continue; // written before the restart
    const rest = batch.slice(Math.max(0, state.position - done));
    const outcomes = await inParts(rest, (rows) => writeBatch(work, state, rows));
    if (!record.partial && countOutcomes(outcomes).failed > 0) {
      await insertImportErrors(deps.db, record.id, listErrors(rest, outcomes, 0));
      await updateProgress(deps.db, run.claim, { failed: countOutcomes(outcomes).failed });
      return false;
    }
    run.onProgress?.('written', state.position, total);
  }
  return true;
}

/** Writes rows and the progress in one transaction. Of a complete import, writes nothing if a row is wrong. */
async function writeBatch(
  { deps, record, run, writer }: Work,
  state: ImportRecord,
  rows: readonly ImportRow[],
): Promise<RowOutcome[]> {
  await writer.before?.(rows.flatMap(({ cells, errors }) => (errors === undefined ? [cells] : [])));
  try {
    const { outcomes, progress } = await whileClaimed(deps, run.claim, async (tx) => {
      const applied = await applyRows(tx, rows, { writer, isTrial: false });
      const counts = countOutcomes(applied);
      if (counts.failed > 0 && !record.partial) throw new RolledBack(applied);
      const next = { ...pickCounts(state), position: state.position + rows.length, attempts: 0 };
      addCounts(next, counts);
      await insertImportErrors(tx, record.id, listErrors(rows, applied, state.failed));
      await updateProgress(tx, run.claim, next);
      return { outcomes: applied, progress: next };
    });
    Object.assign(state, progress);
    return outcomes;
  } catch (error) {
    if (error instanceof RolledBack) return [...error.outcomes];
    throw error;
  }
}

const pickCounts = ({ changed, unchanged, failed }: OutcomeCounts): OutcomeCounts => ({
  changed,
  unchanged,
  failed,
});

function addCounts(sums: OutcomeCounts, counts: OutcomeCounts): void {
  sums.changed += counts.changed;
  sums.unchanged += counts.unchanged;
  sums.failed += counts.failed;
}

/**
 * Runs work while the claim is locked, so that no other instance takes over meanwhile, however long it takes.
 * @throws Stopped if the import was canceled or claimed by another instance
 */
async function whileClaimed<T>(
  deps: Pick<Deps, 'db' | 'author'>,
  claim: Claim,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return withTransaction(deps, async (tx) => {
    if (!(await lockClaim(tx, claim))) throw new Stopped();
    return work(tx);
  });
}

/** Applies rows and rolls them back, without an author: the audit log need not be written. */
async function tryRows({ deps, run, writer }: Work, rows: readonly ImportRow[]): Promise<RowOutcome[]> {
  try {
    return await whileClaimed({ db: deps.db }, run.claim, async (tx) => {
      throw new RolledBack(await applyRows(tx, rows, { writer, isTrial: true }));
    });
  } catch (error) {
    if (error instanceof RolledBack) return [...error.outcomes];
    throw error;
  }
}

/** Writes the rows of a batch that the reader did not refuse. */
async function applyRows(
  tx: Tx,
  rows: readonly ImportRow[],
  { writer, isTrial }: { writer: BatchWriter; isTrial: boolean },
): Promise<RowOutcome[]> {
  const valid = rows.flatMap(({ cells, errors }) => (errors === undefined ? [cells] : []));
  const outcomes = await writer.apply(tx, valid, isTrial);
  let next = 0;
  return rows.map(({ errors }): RowOutcome => {
    if (errors !== undefined) return { status: 'failed', errors };
    const outcome = outcomes[next++];
    if (outcome === undefined) throw new Error('a row has no outcome');
    return outcome;
  });
}

function listErrors(
  rows: readonly ImportRow[],
  outcomes: readonly RowOutcome[],
  stored: number,
): ImportErrorRow[] {
  if (stored >= MAX_ERRORS) return [];
  return rows.flatMap(({ line, cells }, at) => {
    const outcome = outcomes[at];
    if (outcome?.status !== 'failed') return [];
    return Object.entries(outcome.errors).flatMap(([column, reasons]) =>
      reasons.map((reason) => ({
        line,
        column: column === 'base' ? null : column,
        reason: explainReason(column, reason, cells),
      })),
    );
  });
}

/**
 * Says of an error what helps the author of a file: the required format of a time, because spreadsheets write dates in the
 * local format, such as 2026/3/1; and that a name is unknown, for which other requests have the message of a blank one.
 */
function explainReason(column: string, reason: string, cells: Cells): string {
  if (reason === 'is invalid' && /_(?:at|on)$/.test(column))
    return 'must have the form 2026-03-01 or 2026-03-01T09:30:00+09:00';
  return reason === BLANK && !isBlank(cells[column]) ? 'does not exist' : reason;
}
