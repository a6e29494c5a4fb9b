import { useQuery } from '@tanstack/preact-query';
import { StoreError, unwrap, type User } from 'store-api-client';
import { useLocation } from 'wouter-preact';
import { OwnRefusal } from '../../shared/messages';
import { useIsAdmin } from '../access';
import { store } from '../office';
import { Act, once, onceAt } from '../parts/act';
import { Download } from '../parts/download';
import { chosenOf, EMAIL_FIELD, isOn, optional, textOf } from '../parts/fields';
import { rolesQuery, toRoleChoices } from './roles';

/** What can be done with an account: the profile, its roles, and the rights of its owner over its data. */
export function CustomerActions({ user, version }: { user: User; version: string }) {
  const { id, email, vat_id } = user;
  const [, go] = useLocation();
  const params = { path: { id } };
  const isAdmin = useIsAdmin();
  return (
    <section class="box">
      <h2>Account</h2>
      <div class="actions">
        <Act
          name="Change"
          of="the account"
          scope="customers:write"
          question={
            isAdmin
              ? `${email} signs in with the new address from then on.`
              : `Only administrators change the address ${email}.`
          }
          confirm="Save"
          done="The account is saved."
          fields={[...(isAdmin ? [EMAIL_FIELD] : []), { name: 'vat_id', label: 'VAT id' }]}
          initial={{ email, vat_id: vat_id ?? '' }}
          act={(key, values) =>
            unwrap(
              store.PUT('/api/v1/users/{id}', {
                params,
                headers: onceAt(key, version),
                body: { user: { email: textOf(values, 'email'), vat_id: optional(values, 'vat_id') } },
              }),
            )
          }
        />
        {isAdmin && <Roles user={user} version={version} />}
        {isAdmin && <ResetTwoFactor user={user} />}
        <Download
          path={`/api/v1/users/${id}/export`}
          file={`customer-${id}.json`}
          name="Export the data"
          scope="customers:read"
          class="button-quiet"
        />
        <Act
          name="Merge another account"
          scope="*"
          question={`All orders, addresses and cards of the other account move to ${email}. The other account is deleted.`}
          confirm={(values) => `Merge ${textOf(values, 'email') || 'it'} into this account`}
          done="The accounts are merged."
          fields={[{ ...EMAIL_FIELD, label: 'E-mail of the other account' }]}
          act={async (key, values) => {
            const user_id = await findAccount(textOf(values, 'email'));
            if (user_id === id) throw new OwnRefusal(`${email} is the address of this account itself.`);
            return unwrap(
              store.PUT('/api/v1/users/{id}/merge', { params, headers: once(key), body: { user_id } }),
            );
          }}
        />
        <Act
          name="Erase"
          scope="customers:write"
          question={`The name, the addresses and the contact of ${email} are erased for good, also from orders. Documents stay as long as the law demands.`}
          confirm="Erase the personal data"
          done="The personal data is erased."
          fields={[{ name: 'force', label: 'Also if orders are not settled', kind: 'check' }]}
          act={async (key, values) => {
            await unwrap(
              store.PUT('/api/v1/users/{id}/erase', {
                params,
                headers: once(key),
                body: { force: isOn(values, 'force') },
              }),
            );
            go('/customers');
          }}
        />
      </div>
    </section>
  );
}

/** Returns the id of the account with this address. @throws OwnRefusal if there is none */
async function findAccount(address: string): Promise<number> {
  const { users } = await unwrap(
    store.GET('/api/v1/users', { params: { query: { q: { email_start: address } } } }),
  );
  // Capital letters do not tell accounts apart.
  const found = users.find(({ email }) => email.toLowerCase() === address.toLowerCase());
  if (found === undefined)
    throw new OwnRefusal(
      `No account has the address ${address}. Check the spelling, or find it under Customers.`,
    );
  return found.id;
}

/** For whoever has lost the phone and the recovery codes. */
const ResetTwoFactor = ({ user: { id, email } }: { user: User }) => (
  <Act
    name="Reset the two-factor sign-in"
    scope="*"
    question={`${email} signs in with the password alone, until two-factor sign-in is set up again. Be sure that it is the owner of the account who asks for this.`}
    confirm="Reset it"
    done={`The two-factor sign-in of ${email} is reset.`}
    act={async (key) => {
      const { error, response } = await store.DELETE('/api/v1/users/{id}/two_factor', {
        params: { path: { id } },
        headers: once(key),
      });
      if (response.status === 404) throw new OwnRefusal(`${email} has no two-factor sign-in.`);
      if (error !== undefined) throw new StoreError(response, error);
    }}
  />
);

function Roles({ user: { id, email, roles }, version }: { user: User; version: string }) {
  const { data: known = [] } = useQuery(rolesQuery);
  return (
    <Act
      name="Change the roles"
      scope="customers:write"
      question={`${email} may do what any of these roles permits, at once.`}
      confirm="Save the roles"
      done="The roles are saved."
      fields={[
        {
          name: 'roles',
          label: 'Roles',
          kind: 'many',
          choices: toRoleChoices(known),
        },
      ]}
      initial={{ roles }}
      act={(key, values) =>
        unwrap(
          store.PUT('/api/v1/users/{id}', {
            params: { path: { id } },
            headers: onceAt(key, version),
            body: { user: { roles: [...chosenOf(values, 'roles')] } },
          }),
        )
      }
    />
  );
}
