import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type Mail } from 'store-api-client';
import { NO_MESSAGES, readMessages } from '../../shared/messages';
import { useIsAdmin } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { announce } from '../parts/announce';
import { Fields, textOf, type FieldSpec, type Values } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { useUnsaved } from '../parts/unsaved';
import { ErrorNotice } from '../../shared/error-notice';
import { useOnce } from '../../shared/use-once';

type Name = Mail['name'];

const PARTS = ['subject', 'text', 'html'] as const;

const FIELDS: readonly FieldSpec[] = [
  { name: 'subject', label: 'Subject', isRequired: true },
  { name: 'text', label: 'Text', kind: 'long', rows: 10 },
  {
    name: 'html',
    label: 'HTML',
    kind: 'long',
    rows: 16,
    hint: 'What most people see. Change the words here as in the text.',
  },
];

/** The wording of a mail. */
export function Templates({ name }: { name: Name }) {
  const query = useQuery({
    queryKey: ['mails', name],
    queryFn: () => unwrap(store.GET('/api/v1/mails/{name}', { params: { path: { name } } })),
  });
  return (
    <section class="box">
      <h2>Wording</h2>
      <Loaded query={query}>{(mail) => <Wording key={mail.changed_at} mail={mail} />}</Loaded>
    </section>
  );
}

/** The form of a wording, for administrators; what they leave as it is stays in the language of the store. */
function Wording({ mail: { name, changed_at, written_out } }: { mail: Mail }) {
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
  const params = { path: { name } };
  const [values, setValues] = useState<Values>({ ...written_out });
  const changed = PARTS.filter((part) => textOf(values, part) !== written_out[part].trim());
  useUnsaved(changed.length > 0);
  const save = useOnce({
    mutationFn: () =>
      unwrap(
        store.PUT('/api/v1/mails/{name}', {
          params,
          body: { mail: Object.fromEntries(changed.map((part) => [part, textOf(values, part)])) },
        }),
      ),
    onSuccess: () => announce('The wording is saved. The preview shows it.'),
    onSettled: () => client.invalidateQueries({ queryKey: ['mails'] }),
  });
  const messages = save.isError ? readMessages(save.error) : NO_MESSAGES;
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p class="quiet">
        Mails that are sent from now on have these words. What stands in braces is filled in, such as the
        number of the order.
      </p>
      <Fields fields={FIELDS} values={values} setValues={setValues} errors={messages.fields} />
      <ErrorNotice error={save.error} shown={PARTS} />
      {isAdmin && (
        <div class="actions">
          <button class="button" disabled={changed.length === 0 || save.isPending}>
            Save the wording
          </button>
          {changed_at !== null && (
            <Act
              name="Restore"
              scope="settings:write"
              question="Your wording of this mail is deleted; that of the store applies again."
              confirm="Restore the wording"
              done="The wording is restored."
              act={(key) => unwrap(store.DELETE('/api/v1/mails/{name}', { params, headers: once(key) }))}
            />
          )}
        </div>
      )}
    </form>
  );
}
