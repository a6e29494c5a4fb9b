import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE roles
      -- What members of staff with the role may do; '*' for everything, which is the role admin only.
      ADD COLUMN scopes text[] NOT NULL DEFAULT '{}';
    UPDATE roles SET scopes = '{*}' WHERE name = 'admin';
    ALTER TABLE roles ADD CONSTRAINT roles_only_admin_has_all CHECK ((name = 'admin') = ('*' = ANY (scopes)));
    INSERT INTO roles (name, scopes) VALUES
      ('support', '{orders:write,customers:read,payments:read}'),
      ('warehouse', '{stock:write,orders:read,shipments:write}'),
      ('catalog', '{catalog:write}');

    ALTER TABLE api_tokens
      -- What the token is limited to; '*' for everything that its user may do.
      ADD COLUMN scopes text[] NOT NULL DEFAULT '{*}' CONSTRAINT api_tokens_scopes_present CHECK (cardinality(scopes) > 0),
      -- Null for tokens that do not expire, and for those of sign-ins, which expire without use.
      ADD COLUMN expires_at timestamptz;
  `);
}

/** Revokes tokens with limits and with an expiry, because the earlier version would ignore both. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE api_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE scopes <> '{*}' OR expires_at IS NOT NULL;
    ALTER TABLE api_tokens DROP COLUMN scopes, DROP COLUMN expires_at;
    DELETE FROM user_roles USING roles WHERE roles.id = role_id AND roles.name NOT IN ('admin', 'customer');
    DELETE FROM roles WHERE name NOT IN ('admin', 'customer');
    ALTER TABLE roles DROP CONSTRAINT roles_only_admin_has_all, DROP COLUMN scopes;
  `);
}
