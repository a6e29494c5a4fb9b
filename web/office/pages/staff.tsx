import { useQuery } from '@tanstack/preact-query';
import { Link, useLocation } from 'wouter-preact';
import { useIsAdmin } from '../access';
import { createAccount, SIGN_IN_FIELDS } from '../customer/new-customer';
import { CUSTOMER, rolesQuery, toRoleChoices } from '../customer/roles';
import { Act } from '../parts/act';
import { chosenOf, textOf } from '../parts/fields';
import { ListPage } from '../parts/list';
import { ACCOUNT_COLUMNS, listAccounts } from './customers';

const SHOWN = ['Customer', 'Roles', 'Since'];
const COLUMNS = ACCOUNT_COLUMNS.filter(({ name }) => SHOWN.includes(name)).map((column) =>
  column.name === 'Customer' ? { ...column, name: 'Member of staff' } : column,
);

/** Everyone who may work in the office, with their roles. */
export const Staff = () => (
  <ListPage
    title="Staff"
    path="/staff"
    columns={COLUMNS}
    keyOf={({ id }) => id}
    read={(request) => listAccounts(request, { roles_name_not_eq: CUSTOMER })}
    search={{ name: 'Find staff', placeholder: 'E-mail' }}
    above={() => <RolesHint />}
    actions={<NewMember />}
  />
);

/** Only administrators may read what a role permits. */
const RolesHint = () =>
  useIsAdmin() ? (
    <p class="quiet">
      What each role permits is listed under <Link href="/settings/roles">Roles</Link>.
    </p>
  ) : null;

/** Adds an account with its roles, and opens its page. */
function NewMember() {
  const [, go] = useLocation();
  const isAdmin = useIsAdmin();
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: isAdmin });
  if (!isAdmin) return null;
  return (
    <Act
      name="Add a member of staff"
      isQuiet={false}
      scope="customers:write"
      question="They sign in to this office with the e-mail address and the password, and may do what any of the chosen roles permits."
      confirm="Add the member of staff"
      done={(values) => `${textOf(values, 'email')} is added.`}
      isReady={(values) => chosenOf(values, 'roles').length > 0}
      fields={[
        ...SIGN_IN_FIELDS,
        { name: 'roles', label: 'Roles', kind: 'many', choices: toRoleChoices(roles) },
      ]}
      act={async (key, values) =>
        go(await createAccount(key, values, { roles: [...chosenOf(values, 'roles')] }))
      }
    />
  );
}
