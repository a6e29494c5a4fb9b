import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { unwrap, type Store } from 'store-api-client';
import { useMay } from '../access';
import { send, store } from '../office';
import { Act, once } from '../parts/act';
import { announce } from '../parts/announce';
import { Drop } from '../parts/drop';

/** The logo that documents print. */
export function Logo({ settings: { id, document_logo } }: { settings: Store }) {
  const client = useQueryClient();
  const may = useMay();
  const upload = useMutation({
    mutationFn: async ([file]: readonly File[]) => {
      const body = new FormData();
      if (file !== undefined) body.set('logo', file);
      await send('POST', `/api/v1/stores/${id}/logo`, body);
    },
    onSuccess: () => announce('Documents print the logo from now on.'),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <section class="box">
      <h2>Documents: logo</h2>
      <p class="quiet">
        {document_logo === null
          ? 'Documents have no logo.'
          : 'New documents print a logo at the top left; existing ones keep theirs.'}
      </p>
      {may('settings:write') && (
        <Drop
          name={document_logo === null ? 'Add a logo, or drop it here' : 'Replace the logo, or drop one here'}
          upload={upload}
        />
      )}
      {document_logo !== null && (
        <div class="actions">
          <Act
            name="Remove the logo"
            scope="settings:write"
            question="New documents have no logo. Existing ones keep theirs."
            confirm="Remove the logo"
            done="The logo is removed."
            act={(key) =>
              unwrap(
                store.DELETE('/api/v1/stores/{id}/logo', { params: { path: { id } }, headers: once(key) }),
              )
            }
          />
        </div>
      )}
    </section>
  );
}
