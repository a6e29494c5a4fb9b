import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { createKey, StoreError, unwrap, type Store, type UpdateStoreBody } from 'store-api-client';
import { Link } from 'wouter-preact';
import { readMessages } from '../../shared/messages';
import { useMay } from '../access';
import { store } from '../office';
import { onceAt } from '../parts/act';
import { announce } from '../parts/announce';
import { Fields, isOn, textOf, type FieldSpec, type Values } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { unwrapVersioned } from '../parts/requests';
import { useUnsaved } from '../parts/unsaved';
import { countriesQuery } from '../queries';
import { Logo } from './logo';
import { buildGroups, type StoreGroup } from './store-fields';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

/** The settings of a store, in groups that are saved one by one. Without an id, of the default store. */
export function StoreSettings({ id: wanted }: { id?: number }) {
  const { data: countries = [] } = useQuery(countriesQuery);
  const query = useQuery({
    queryKey: ['stores', wanted ?? 'default'],
    queryFn: async () => {
      const id =
        wanted ?? (await unwrap(store.GET('/api/v1/stores'))).stores.find((one) => one.is_default)?.id;
      if (id === undefined) return null;
      return unwrapVersioned(store.GET('/api/v1/stores/{id}', { params: { path: { id } } }));
    },
    // A form is not replaced while one types.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <>
      {wanted !== undefined && (
        <p class="crumb">
          <Link href="/settings/stores">Stores</Link>
        </p>
      )}
      <h1>{wanted === undefined ? 'Store and documents' : (query.data?.record.name ?? 'Store')}</h1>
      <Loaded query={query}>
        {(found) =>
          found === null ? (
            <p class="notice">
              There is no store yet. <Link href="/settings/stores">Add one.</Link>
            </p>
          ) : (
            <>
              {buildGroups(countries).map((group) => (
                <Group key={group.name} group={group} settings={found.record} version={found.version} />
              ))}
              <Logo settings={found.record} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function toValues(fields: readonly FieldSpec[], settings: Store): Values {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value: unknown = settings[name as keyof Store]; // The groups name settings of a store.
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      return [name, kind === 'check' ? value === true : text];
    }),
  );
}

/** Returns the settings that have changed, as the API takes them: empty texts are null. */
function toChanges(fields: readonly FieldSpec[], values: Values, before: Values): UpdateStoreBody['store'] {
  const changes: Record<string, string | number | boolean | null> = {};
  for (const { name, kind } of fields) {
    const text = textOf(values, name);
    if (kind === 'check' ? values[name] === before[name] : text === textOf(before, name)) continue;
    if (kind === 'check') changes[name] = isOn(values, name);
    else changes[name] = text === '' ? null : kind === 'whole' ? Number(text) : text;
  }
  return changes;
}

interface GroupProps {
  group: StoreGroup;
  settings: Store;
  version: string;
}

function Group({ group: { name, fields }, settings, version }: GroupProps) {
  const client = useQueryClient();
  const may = useMay();
  const before = toValues(fields, settings);
  const [typed, setTyped] = useState({ values: before, before });
  // Settings that were saved meanwhile, also by others, replace what was typed in their place; the rest stays.
  const isOld = (setting: string): boolean => typed.before[setting] !== before[setting];
  const values = Object.fromEntries(
    fields.map((field) => [field.name, (isOld(field.name) ? before : typed.values)[field.name] ?? '']),
  );
  const changes = toChanges(fields, values, before);
  const [key, setKey] = useState(createKey);
  const save = useOnce({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/stores/{id}', {
          params: { path: { id: settings.id } },
          headers: onceAt(key, version),
          body: { store: changes },
        }),
      ),
    onSuccess: () => announce(`${name}: saved.`),
    onSettled: (_, error) => {
      // Without a reply, a retry with the same key returns the first result.
      if (error === null || error instanceof StoreError) setKey(createKey());
      return client.invalidateQueries();
    },
  });
  const errors = save.isError ? readMessages(save.error).fields : {};
  const isChanged = Object.keys(changes).length > 0;
  useUnsaved(isChanged);
  return (
    <details class="box" open={name === 'Store'}>
      <summary>
        <h2>{name}</h2>
      </summary>
      <form
        class="fields fields-grid"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Fields
          fields={fields}
          values={values}
          setValues={(next) => setTyped({ values: next, before })}
          errors={errors}
        />
        <ErrorNotice error={save.error} shown={fields.map((field) => field.name)} />
        {may('settings:write') && (
          <div class="fields-end">
            <button class="button" disabled={!isChanged || save.isPending}>
              Save<span class="visually-hidden"> {name}</span>
            </button>
          </div>
        )}
      </form>
    </details>
  );
}
