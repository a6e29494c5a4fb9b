import type { Knex } from 'knex';

/** Logs who cancels an import. Its other changes are progress, not changes by an author. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TRIGGER imports_cancel_audit AFTER UPDATE OF state ON imports FOR EACH ROW
    WHEN (NEW.state = 'canceled' AND OLD.state <> 'canceled' AND COALESCE(current_setting('store.author', true), '') <> '')
    EXECUTE FUNCTION note_audit('Store::Import', 'id');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DROP TRIGGER imports_cancel_audit ON imports;`);
}
