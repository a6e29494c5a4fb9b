import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type TaxonTree } from 'store-api-client';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { announce } from '../parts/announce';
import { listChanged, optional, textOf } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { pathOf } from '../words';
import { ErrorNotice } from '../../shared/error-notice';

/** Where a category goes. */
interface Move {
  taxon: TaxonTree;
  parentId: number;
  /** The position among the new siblings, from 0; the last if it is missing. */
  index?: number;
}

const save = ({ taxon, parentId, index }: Move): Promise<unknown> =>
  unwrap(
    store.PUT('/api/v1/taxonomies/{taxonomy_id}/taxons/{id}', {
      params: { path: { taxonomy_id: taxon.taxonomy_id, id: taxon.id } },
      body: { taxon: { parent_id: parentId, ...(index !== undefined && { child_index: index }) } },
    }),
  );

/** The trees of categories, ordered and nested by drag or by buttons. */
export function Categories() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['taxonomies'],
    queryFn: async () =>
      (await unwrap(store.GET('/api/v1/taxonomies', { params: { query: { set: 'nested', per_page: 50 } } })))
        .taxonomies,
  });
  const [dragged, setDragged] = useState<TaxonTree | null>(null);
  const move = useMutation({
    mutationFn: save,
    onSuccess: (_reply, { taxon }) => announce(`${taxon.name} is moved.`),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <>
      <div class="title">
        <h1>Categories</h1>
        <div class="title-actions">
          <Act
            name="Add a tree"
            scope="catalog:write"
            question="A tree is a way to browse, such as Categories or Brands."
            confirm="Add the tree"
            done={(values) => `${textOf(values, 'name')} is added.`}
            fields={[{ name: 'name', label: 'Name', isRequired: true }]}
            act={(key, values) =>
              unwrap(
                store.POST('/api/v1/taxonomies', {
                  headers: once(key),
                  body: { taxonomy: { name: textOf(values, 'name') } },
                }),
              )
            }
          />
        </div>
      </div>
      <ErrorNotice error={move.error} />
      <Loaded query={query}>
        {(taxonomies) =>
          taxonomies.map(({ id, name, root }) => (
            <section key={id} class="box">
              <h2>{name}</h2>
              <Branch
                taxons={[root]}
                root={root}
                dragged={dragged}
                setDragged={setDragged}
                move={(to) => {
                  // Not into itself; the API refuses what is below it.
                  if (!move.isPending && to.taxon.id !== to.parentId) move.mutate(to);
                }}
              />
            </section>
          ))
        }
      </Loaded>
    </>
  );
}

interface BranchProps {
  taxons: readonly TaxonTree[];
  root: TaxonTree;
  dragged: TaxonTree | null;
  setDragged: (taxon: TaxonTree | null) => void;
  move: (to: Move) => void;
}

function Branch({ taxons, ...shared }: BranchProps) {
  const { root, dragged, setDragged, move } = shared;
  const may = useMay();
  const isMovable = ({ id }: TaxonTree): boolean => id !== root.id && may('catalog:write');
  return (
    <ul class="tree">
      {taxons.map((taxon, index) => (
        <li key={taxon.id}>
          <div
            class={dragged?.id === taxon.id ? 'tree-row is-dragged' : 'tree-row'}
            draggable={isMovable(taxon)}
            onDragStart={() => setDragged(taxon)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged?.taxonomy_id === taxon.taxonomy_id && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move({ taxon: dragged, parentId: taxon.id });
            }}
          >
            <span>{taxon.name}</span>
            <div class="row-buttons">
              {isMovable(taxon) &&
                [
                  { name: 'Move up', text: '↑', to: index - 1 },
                  { name: 'Move down', text: '↓', to: index + 1 },
                ].map(({ name, text, to }) => (
                  <button
                    key={name}
                    type="button"
                    class="link"
                    aria-label={`${name}: ${taxon.name}`}
                    disabled={to < 0 || to >= taxons.length}
                    onClick={() => move({ taxon, parentId: taxon.parent_id ?? root.id, index: to })}
                  >
                    {text}
                  </button>
                ))}
              <TaxonButtons taxon={taxon} root={root} />
            </div>
          </div>
          {(taxon.taxons ?? []).length > 0 && <Branch taxons={taxon.taxons ?? []} {...shared} />}
        </li>
      ))}
    </ul>
  );
}

const listAll = (taxon: TaxonTree): TaxonTree[] => [taxon, ...(taxon.taxons ?? []).flatMap(listAll)];

function TaxonButtons({ taxon, root }: { taxon: TaxonTree; root: TaxonTree }) {
  const { id, name, taxonomy_id, permalink } = taxon;
  const params = { path: { taxonomy_id, id } };
  const isRoot = id === root.id;
  const below = new Set(listAll(taxon).map((one) => one.id));
  return (
    <>
      <Act
        name="Add below"
        of={name}
        isLink
        scope="catalog:write"
        question={`The category appears in the shop below ${name}.`}
        confirm="Add the category"
        done={(values) => `${textOf(values, 'name')} is added.`}
        fields={[{ name: 'name', label: 'Name', isRequired: true }]}
        act={(key, values) =>
          unwrap(
            store.POST('/api/v1/taxonomies/{taxonomy_id}/taxons', {
              params: { path: { taxonomy_id } },
              headers: once(key),
              body: { taxon: { name: textOf(values, 'name'), parent_id: id } },
            }),
          )
        }
      />
      {isRoot && <TreeButtons tree={root} count={below.size - 1} />}
      {!isRoot && (
        <>
          <Act
            name="Edit"
            of={name}
            isLink
            scope="catalog:write"
            question={`${pathOf(taxon)}. A new address ends links to the former one.`}
            confirm="Save"
            done={`${name} is saved.`}
            fields={[
              { name: 'name', label: 'Name', isRequired: true },
              { name: 'permalink', label: 'Last part of the address' },
              {
                name: 'parent_id',
                label: 'Below',
                kind: 'choice',
                isRequired: true,
                choices: listAll(root)
                  .filter((one) => !below.has(one.id))
                  .map((one) => ({ value: String(one.id), name: pathOf(one) })),
              },
              { name: 'meta_title', label: 'Title for search engines' },
              { name: 'meta_description', label: 'Description for search engines' },
            ]}
            initial={{
              name,
              permalink: permalink.split('/').at(-1) ?? '',
              parent_id: String(taxon.parent_id),
              meta_title: taxon.meta_title ?? '',
              meta_description: taxon.meta_description ?? '',
            }}
            act={(key, values, opened) =>
              unwrap(
                store.PUT('/api/v1/taxonomies/{taxonomy_id}/taxons/{id}', {
                  params,
                  headers: once(key),
                  body: {
                    taxon: Object.fromEntries(
                      listChanged(values, opened).map((field) => [field, optional(values, field)]),
                    ),
                  },
                }),
              )
            }
          />
          <Act
            name="Delete"
            of={name}
            isLink
            scope="catalog:write"
            question={
              below.size === 1
                ? `${name} is deleted. Its products stay.`
                : `${name} and all ${below.size - 1} below it are deleted. Their products stay.`
            }
            confirm="Delete the category"
            done={`${name} is deleted.`}
            act={(key) =>
              unwrap(
                store.DELETE('/api/v1/taxonomies/{taxonomy_id}/taxons/{id}', { params, headers: once(key) }),
              )
            }
          />
        </>
      )}
    </>
  );
}

/** What can be done with a whole tree. */
function TreeButtons({ tree: { taxonomy_id: id, name }, count }: { tree: TaxonTree; count: number }) {
  return (
    <>
      <Act
        name="Rename"
        of={`the tree ${name}`}
        isLink
        scope="catalog:write"
        question="Shoppers see the name. The addresses of its categories stay."
        confirm="Save"
        done={(values) => `The tree is called ${textOf(values, 'name')}.`}
        fields={[{ name: 'name', label: 'Name', isRequired: true }]}
        initial={{ name }}
        act={(key, values) =>
          unwrap(
            store.PUT('/api/v1/taxonomies/{id}', {
              params: { path: { id } },
              headers: once(key),
              body: { taxonomy: { name: textOf(values, 'name') } },
            }),
          )
        }
      />
      <Act
        name="Delete"
        of={`the tree ${name}`}
        isLink
        scope="catalog:write"
        question={`${name} and all ${count} below it are deleted. Their products stay.`}
        confirm="Delete the tree"
        done={`The tree ${name} is deleted.`}
        act={(key) =>
          unwrap(store.DELETE('/api/v1/taxonomies/{id}', { params: { path: { id } }, headers: once(key) }))
        }
      />
    </>
  );
}
