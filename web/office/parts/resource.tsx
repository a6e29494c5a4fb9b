import type { ComponentChildren } from 'preact';
import type { Scope } from '../access';
import { Act } from './act';
import type { FieldSpec, Values } from './fields';
import { ListPage, type ListRequest, type Page } from './list';
import type { Column } from './table';

/** Records that staff lists, adds, changes and deletes, by declaration. */
export interface ResourceSpec<Row extends { id: number }> {
  title: string;
  /** One of them, such as `zone`. */
  one: string;
  path: string;
  scope: Scope;
  read: (request: ListRequest) => Promise<Page<Row>>;
  nameOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  fields: readonly FieldSpec[];
  /** What the form contains for a record, and for a new one. */
  toValues: (row: Row | null) => Values;
  create?: (values: Values, key: string) => Promise<unknown>;
  /** Changes a record, unless its form would show something else meanwhile. */
  update?: (row: Row, values: Values, key: string, toValues: (row: Row) => Values) => Promise<unknown>;
  remove?: (row: Row, key: string) => Promise<unknown>;
  /** Whether the store keeps a record as it is, without buttons to change it. */
  isFixed?: (row: Row) => boolean;
  /** What deleting one means. */
  removal?: string;
  /** What the form says above its fields. */
  intro?: string;
  /** More buttons of a row. */
  more?: (row: Row) => ComponentChildren;
  search?: { name: string; placeholder: string };
  perPage?: number;
  empty?: string;
}

/** A page that lists such records and opens forms for them. */
export function ResourcePage<Row extends { id: number }>(spec: ResourceSpec<Row>) {
  const { title, one, path, scope, read, nameOf, columns, fields, toValues, create, search } = spec;
  const shared = { scope, fields, question: spec.intro ?? '' };
  const buttons: Column<Row> = {
    name: 'Actions',
    scope: spec.more === undefined ? scope : undefined,
    cell: (row) => <RowButtons spec={spec} row={row} />,
  };
  return (
    <ListPage
      title={title}
      path={path}
      read={read}
      keyOf={({ id }) => id}
      columns={[{ name: 'Name', cell: nameOf }, ...columns, buttons]}
      {...(search !== undefined && { search })}
      perPage={spec.perPage ?? 100}
      empty={spec.empty ?? 'None yet.'}
      actions={
        create !== undefined && (
          <Act
            {...shared}
            name={`Add ${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`}
            isQuiet={false}
            confirm={`Add the ${one}`}
            initial={toValues(null)}
            done={`The ${one} is added.`}
            act={(key, values) => create(values, key)}
          />
        )
      }
    />
  );
}

function RowButtons<Row extends { id: number }>({ spec, row }: { spec: ResourceSpec<Row>; row: Row }) {
  const { one, scope, nameOf, fields, toValues, removal, more } = spec;
  const { update, remove } = spec.isFixed?.(row) === true ? {} : spec;
  const name = nameOf(row);
  return (
    <div class="row-buttons">
      {more?.(row)}
      {update !== undefined && (
        <Act
          name="Edit"
          of={name}
          isLink
          scope={scope}
          fields={fields}
          question={spec.intro ?? ''}
          confirm="Save"
          initial={toValues(row)}
          done={`${name} is saved.`}
          act={(key, values) => update(row, values, key, toValues)}
        />
      )}
      {remove !== undefined && (
        <Act
          name="Delete"
          of={name}
          isLink
          scope={scope}
          question={`${name} is deleted. ${removal ?? ''}`.trim()}
          confirm={`Delete the ${one}`}
          done={`${name} is deleted.`}
          act={(key) => remove(row, key)}
        />
      )}
    </div>
  );
}
