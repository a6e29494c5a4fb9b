import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { unwrap, type ApiToken } from 'store-api-client';
import { nameScopes, SCOPE_CHOICES, toScopes } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { chosenOf, optional, textOf } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { dateOf } from '../words';

/** What the store calls the tokens that it makes itself. */
const NAMES: Readonly<Record<string, string>> = { 'sign-in': 'Sign-in', 'sign-up': 'First sign-in' };

/** The API tokens of an account: what other programs sign in with. */
export function Tokens({ userId, email }: { userId: number; email: string }) {
  const [made, setMade] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['tokens', userId],
    queryFn: async () =>
      (
        await unwrap(
          store.GET('/api/v1/users/{id}/tokens', {
            params: { path: { id: userId }, query: { per_page: 50 } },
          }),
        )
      ).tokens,
  });
  const columns: readonly Column<ApiToken>[] = [
    { name: 'Token', cell: ({ name }) => NAMES[name] ?? name },
    { name: 'Created', cell: ({ created_at }) => dateOf(created_at) },
    { name: 'Last used', cell: ({ last_used_at }) => dateOf(last_used_at) },
    {
      name: 'May do',
      cell: ({ scopes }) => (scopes.includes('*') ? 'All that the account may do' : nameScopes(scopes)),
    },
    {
      name: 'Actions',
      cell: ({ id, name, revoked_at }) =>
        revoked_at !== null ? (
          `Revoked ${dateOf(revoked_at)}`
        ) : (
          <Act
            name="Revoke"
            of={name}
            isLink
            scope="customers:write"
            question={`All users of the token ${name} are signed out at once.`}
            confirm="Revoke the token"
            done={`${name} is revoked.`}
            act={(key) =>
              unwrap(
                store.DELETE('/api/v1/users/{user_id}/tokens/{id}', {
                  params: { path: { user_id: userId, id } },
                  headers: once(key),
                }),
              )
            }
          />
        ),
    },
  ];
  return (
    <section class="box">
      <h2>Sign-ins and API tokens</h2>
      {made !== null && (
        <p class="notice">
          Copy the token now; it is not shown again: <code>{made}</code>
        </p>
      )}
      <p class="quiet">Each sign-in in a browser has a token too, which ends by itself.</p>
      <Loaded query={query}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p class="quiet">None</p>
          ) : (
            <Table name="API tokens" columns={columns} rows={tokens} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <div class="actions">
        <Act
          name="Add a token"
          scope="customers:write"
          question={`A program that sends the token acts as ${email}, within the chosen scopes.`}
          confirm="Add the token"
          done="The token is added. Copy it now."
          fields={[
            { name: 'name', label: 'What it is for', isRequired: true },
            {
              name: 'scopes',
              label: 'Scopes',
              kind: 'many',
              hint: 'None chosen: all of the account.',
              choices: SCOPE_CHOICES,
            },
            { name: 'expires_at', label: 'Expires (optional)', kind: 'time' },
          ]}
          act={async (key, values) => {
            const scopes = toScopes(chosenOf(values, 'scopes'));
            const until = optional(values, 'expires_at');
            const { token } = await unwrap(
              store.POST('/api/v1/users/{id}/tokens', {
                params: { path: { id: userId } },
                headers: once(key),
                body: {
                  api_token: {
                    name: textOf(values, 'name'),
                    ...(scopes.length > 0 && { scopes }),
                    ...(until !== null && { expires_at: new Date(until).toISOString() }),
                  },
                },
              }),
            );
            setMade(token);
          }}
        />
      </div>
    </section>
  );
}
