import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { unwrap, type Import } from 'store-api-client';
import { ChoiceField } from '../../shared/field';
import { OwnRefusal } from '../../shared/messages';
import { useMay, type Scope } from '../access';
import { send, store } from '../office';
import { Act } from '../parts/act';
import { Download } from '../parts/download';
import { Loaded } from '../parts/loaded';
import { Table } from '../parts/table';
import { countOf } from '../words';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

const IMPORTS = [
  ...([
    ['products', 'catalog:write', 'Products'],
    ['prices', 'catalog:write', 'Prices'],
  ] as const),
  ...([
    ['stock', 'stock:write', 'Stock'],
    ['customers', 'customers:write', 'Customers'],
  ] as const),
  ...([
    ['shipments', 'shipments:write', 'Parcels'],
    ['orders', 'orders:write', 'Orders'],
  ] as const),
] as const;

const EXPORTS: readonly (readonly [string, Scope, string])[] = [
  ['products', 'catalog:read', 'Products'],
  ['prices', 'catalog:read', 'Prices'],
  ['stock', 'stock:read', 'Stock'],
  ['movements', 'stock:read', 'Stock movements'],
  ['customers', 'customers:read', 'Customers'],
  ['orders', 'orders:read', 'Orders'],
  ['line_items', 'orders:read', 'Items of orders'],
  ['payments', 'payments:read', 'Payments'],
];

/** The columns of files that no export has. */
const COLUMNS: Readonly<Record<string, ComponentChildren>> = {
  shipments: 'Its columns: number, tracking, tracking_url, ship (true or false).',
  orders: (
    <>
      Its rows are the items of old sales. <a href="/docs/guides/moving-in">The guide</a> lists the columns.
    </>
  ),
};

const POLL_MS = 1000;

/** CSV files in and out. */
export const Files = () => (
  <>
    <h1>Import and export</h1>
    <ImportForm />
    <section class="box">
      <h2>Export</h2>
      <div class="actions">
        {EXPORTS.map(([kind, scope, name]) => (
          <Download
            key={kind}
            path={`/api/v1/exports/${kind}.csv`}
            file={`${kind}.csv`}
            name={name}
            scope={scope}
            class="button-quiet"
          />
        ))}
      </div>
    </section>
  </>
);

function ImportForm() {
  const may = useMay();
  const kinds = IMPORTS.filter(([, scope]) => may(scope));
  const [kind, setKind] = useState<string>(kinds[0]?.[0] ?? 'products');
  const [file, setFile] = useState<File | null>(null);
  // In the address, so that a reload, Back and a bookmark find an import of an hour again.
  const [, go] = useLocation();
  const id = Number(new URLSearchParams(useSearch()).get('import'));
  const start = useOnce({
    mutationFn: async (isDry: boolean) => {
      const body = new FormData();
      body.set('kind', kind);
      body.set('dry_run', String(isDry));
      if (file !== null) {
        // A file that has been saved again since it was chosen cannot be read; sent, it would seem to be the network.
        await file.slice(0, 1).arrayBuffer().catch(refuseChangedFile);
        body.set('file', file);
      }
      const started: unknown = await (await send('POST', '/api/v1/imports', body)).json();
      // The reply of the API is an import.
      return started as Import;
    },
    onSuccess: (started) => go(`/files?import=${started.id}`),
  });
  if (kinds.length === 0) return null;
  return (
    <section class="box">
      <h2>Import</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(true);
        }}
      >
        <ChoiceField label="What the file contains" value={kind} onChoose={setKind}>
          {kinds.map(([value, , name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </ChoiceField>
        <div class="field">
          <label for="import-file">CSV file</label>
          <input
            id="import-file"
            aria-describedby="import-columns"
            type="file"
            accept=".csv,.tsv,text/csv"
            required
            onClick={(event) => {
              // So that a file is read anew that is chosen again after its mistakes were corrected.
              event.currentTarget.value = '';
              setFile(null);
            }}
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0] ?? null);
              go('/files');
            }}
          />
          <p id="import-columns" class="hint">
            {COLUMNS[kind] ?? 'Its columns are those of the export.'}
          </p>
        </div>
        <ErrorNotice error={start.error} />
        <div>
          <button class="button-quiet" disabled={file === null || start.isPending}>
            Check the file
          </button>
        </div>
      </form>
      {id > 0 && <Progress key={id} id={id} run={file === null ? null : () => start.mutate(false)} />}
    </section>
  );
}

function refuseChangedFile(): never {
  throw new OwnRefusal('The file has changed since it was chosen. Choose it again.');
}

const isDone = ({ state }: Import): boolean => state !== 'queued' && state !== 'running';

/** Whether an import has not begun to write: it checks the whole file before. */
const isChecking = ({ dry_run, partial, rows, checked }: Import): boolean =>
  dry_run || (!partial && checked < (rows ?? Infinity));

/** How far an import is, what came of it, and the next step; `run` is null without the file. */
function Progress({ id, run }: { id: number; run: (() => void) | null }) {
  const query = useQuery({
    queryKey: ['import', id],
    queryFn: () => unwrap(store.GET('/api/v1/imports/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data === undefined || !isDone(data) ? POLL_MS : false),
  });
  return (
    <Loaded query={query}>
      {(one) => {
        const { rows, checked, done, changed, unchanged, failed, ignored_columns, dry_run, problem } = one;
        if (!isDone(one)) {
          const [phase, reached] = isChecking(one) ? ['Checking', checked] : ['Importing', done];
          return (
            <>
              <p role="status">
                {phase}: {reached} of {rows ?? '…'} rows{' '}
                <progress max={rows ?? 1} value={reached} aria-label="Progress" />
              </p>
              <Act
                name="Cancel the import"
                question="Rows that are already imported stay."
                confirm="Cancel the import"
                act={() => unwrap(store.DELETE('/api/v1/imports/{id}', { params: { path: { id } } }))}
                done="The import is canceled."
                scope={null}
              />
            </>
          );
        }
        if (one.state === 'canceled')
          return (
            <p class="notice notice-bad" role="status">
              Canceled. {dry_run ? 'Nothing was changed.' : `Imported: ${countOf(changed, 'row')}.`}
            </p>
          );
        const isSound = failed === 0 && problem === null;
        return (
          <div class={`notice ${isSound ? 'notice-good' : 'notice-bad'}`} role="status">
            <p>
              {problem ??
                (isSound
                  ? dry_run
                    ? `The file has no mistakes. It changes ${countOf(changed, 'row')}; ${unchanged} stay as they are.`
                    : `Imported: ${countOf(changed, 'row')} changed, ${unchanged} stayed as they were.`
                  : `Mistakes in ${countOf(failed, 'row')}. Nothing was changed.`)}
            </p>
            {ignored_columns.length > 0 && (
              <p>
                {ignored_columns.length === 1 ? 'This column is not read' : 'These columns are not read'}:{' '}
                {ignored_columns.join(', ')}
              </p>
            )}
            {failed > 0 && <Errors id={id} />}
            {isSound && dry_run && run === null && <p>To import it, choose the file again.</p>}
            {isSound && dry_run && run !== null && (
              <button type="button" class="button" onClick={run}>
                Import {countOf(rows ?? 0, 'row')}
              </button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Errors({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['import', id, 'errors'],
    queryFn: async () => {
      const params = { path: { id }, query: { per_page: 100 } };
      const { errors, total_count } = await unwrap(store.GET('/api/v1/imports/{id}/errors', { params }));
      return { rows: errors.map((error, index) => ({ ...error, index })), total_count };
    },
  });
  return (
    <Loaded query={query}>
      {({ rows, total_count }) => (
        <>
          <Table
            name="Errors"
            columns={[
              { name: 'Line', cell: ({ line }) => line },
              { name: 'Column', cell: ({ column }) => column },
              { name: 'Reason', cell: ({ reason }) => reason },
            ]}
            rows={rows}
            keyOf={({ index }) => index}
          />
          {rows.length < total_count && (
            <p>
              The first {rows.length} of {total_count}.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
