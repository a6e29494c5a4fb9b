import type { Knex } from 'knex';
import { run, validate, type Statements, type Steps } from '../src/platform/database/migrations/steps';

/** What a sold order leaves behind is never deleted with the record it belongs to; carts have none of it. */
const RESTRICTED = [
  { table: 'refunds', column: 'payment_id', parent: 'payments', before: 'CASCADE' },
  { table: 'return_authorizations', column: 'order_id', parent: 'orders', before: 'CASCADE' },
  {
    table: 'inventory_units',
    column: 'return_authorization_id',
    parent: 'return_authorizations',
    before: 'SET NULL',
  },
] as const;

const CHECKS: readonly (readonly [table: string, name: string, condition: string])[] = [
  ['orders', 'item_total_positive', "item_total >= 0 AND item_total <> 'NaN'"],
  ['orders', 'ship_total_positive', "ship_total >= 0 AND ship_total <> 'NaN'"],
  ['orders', 'payment_total_positive', "payment_total >= 0 AND payment_total <> 'NaN'"],
  ['orders', 'promo_total_negative', 'promo_total <= 0'],
  ['orders', 'total_quantity_positive', 'total_quantity >= 0'],
  ['line_items', 'price_number', "price <> 'NaN'"],
  ['line_items', 'promo_total_negative', 'promo_total <= 0'],
  ['shipments', 'cost_number', "cost <> 'NaN'"],
  ['shipments', 'promo_total_negative', 'promo_total <= 0'],
  ['shipments', 'shipped_at_of_shipped', "shipped_at IS NULL OR state = 'shipped'"],
  ['shipping_rates', 'cost_number', "cost <> 'NaN'"],
  ['payments', 'amount_number', "amount <> 'NaN'"],
  ['payment_operations', 'amount_number', "amount <> 'NaN'"],
  [
    'payment_operations',
    'state_before_known',
    "state_before IN ('checkout', 'pending', 'completed', 'failed', 'void', 'invalid')",
  ],
  ['refunds', 'amount_number', "amount <> 'NaN'"],
  ['return_authorizations', 'amount_number', "amount <> 'NaN'"],
  ['prices', 'amount_number', "amount <> 'NaN'"],
  ['adjustments', 'amount_number', "amount <> 'NaN'"],
  ['adjustments', 'source_complete', '(source_type IS NULL) = (source_id IS NULL)'],
  [
    'adjustments',
    'source_type_known',
    "source_type IN ('Store::TaxRate', 'Store::PromotionAction', 'Store::ReturnAuthorization')",
  ],
  ['adjustments', 'discount_negative', "source_type <> 'Store::PromotionAction' OR amount < 0"],
  [
    'adjustments',
    'credit_of_order',
    `source_type <> 'Store::ReturnAuthorization'
       OR (amount < 0 AND NOT included AND line_item_id IS NULL AND shipment_id IS NULL)`,
  ],
  ['stock_movements', 'originator_complete', '(originator_type IS NULL) = (originator_id IS NULL)'],
  [
    'stock_movements',
    'originator_type_known',
    "originator_type IN ('Store::Shipment', 'Store::ReturnAuthorization', 'Store::Variant')",
  ],
  ['state_changes', 'subject_of_order', "subject_type <> 'order' OR subject_id = order_id"],
];

/** Records that no role may delete; `when` restricts them to some rows of the table. */
const KEPT: readonly { table: string; when?: string }[] = [
  { table: 'orders', when: 'OLD.completed_at IS NOT NULL' },
  { table: 'refunds' },
  { table: 'stock_movements' },
  { table: 'inventory_units', when: "OLD.state IN ('shipped', 'returned')" },
  { table: 'return_authorizations', when: "OLD.state = 'received'" },
  { table: 'adjustments', when: "OLD.source_type = 'Store::ReturnAuthorization'" },
];

/** Records that are deleted together with their parent, a cart, and never by themselves. */
const KEPT_WITH: readonly { table: string; column: string; parent: string; when?: string }[] = [
  { table: 'state_changes', column: 'order_id', parent: 'orders' },
  { table: 'payment_operations', column: 'payment_id', parent: 'payments' },
  { table: 'payments', column: 'order_id', parent: 'orders', when: "OLD.state <> 'checkout'" },
];

/** Emptying one of these tables would delete sold orders or what belongs to them. */
const NOT_TRUNCATED = [
  ...[
    'orders',
    'line_items',
    'adjustments',
    'shipments',
    'inventory_units',
    'payments',
    'payment_operations',
  ],
  ...['refunds', 'return_authorizations', 'state_changes', 'stock_movements'],
];

/**
 * Makes the database refuse to delete what was sold. Foreign keys alone cannot: the rows of a cart go with the cart,
 * and a sold order that is made smaller gives up lines, units that have not left, and empty shipments. So triggers look
 * at the record. A check that existing rows break stays unvalidated: it holds for new rows, and `verify` lists the others.
 */
export const up: Steps = [
  ...RESTRICTED.map((link) => reference(link, 'RESTRICT', 'NOT VALID')),
  ...RESTRICTED.map(({ table, column }) => validate(table, `${table}_${column}_fkey`)),
  ...groupChecks().map(([table, checks]) => run(`ALTER TABLE ${table} ${checks.join(', ')}`)),
  ...CHECKS.map(([table, name]) => validate(table, `${table}_${name}`)),
  run(buildFunctions()),
  ...KEPT.map(({ table, when }) => refuseDelete({ table, when, execute: 'refuse_deletion()' })),
  ...KEPT_WITH.map(({ table, column, parent, when }) =>
    refuseDelete({ table, when, execute: `refuse_deletion_alone('${parent}', '${column}')` }),
  ),
  refuseDelete({ table: 'shipments', execute: 'refuse_deletion_of_sold_shipment()' }),
  refuseDelete({ table: 'users', execute: 'refuse_deletion_of_buyer()' }),
  ...NOT_TRUNCATED.map((table) =>
    run(`
      CREATE TRIGGER ${table}_not_truncated BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
    `),
  ),
];

/** Returns the checks of each table, as they are added. */
function groupChecks(): [table: string, checks: string[]][] {
  const tables = [...new Set(CHECKS.map(([table]) => table))];
  return tables.map((table) => [
    table,
    CHECKS.filter(([of]) => of === table).map(
      ([, name, condition]) => `ADD CONSTRAINT ${table}_${name} CHECK (${condition}) NOT VALID`,
    ),
  ]);
}

function buildFunctions(): string {
  return `
  CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'row % of % belongs to a sale and cannot be deleted', OLD.id, TG_TABLE_NAME
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END $$;

  -- While a cascade deletes children, their parent is no longer visible.
  CREATE FUNCTION refuse_deletion_alone() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    has_parent boolean;
  BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id = $1)', TG_ARGV[0])
      INTO has_parent USING (to_jsonb(OLD) ->> TG_ARGV[1])::integer;
    IF has_parent THEN
      RAISE EXCEPTION 'row % of % can only be deleted together with its %', OLD.id, TG_TABLE_NAME, TG_ARGV[0]
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN OLD;
  END $$;

  CREATE FUNCTION refuse_deletion_of_sold_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM orders WHERE id = OLD.order_id AND completed_at IS NOT NULL)
       AND EXISTS (SELECT FROM inventory_units WHERE shipment_id = OLD.id) THEN
      RAISE EXCEPTION 'shipment % of a sold order is not empty and cannot be deleted', OLD.number
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN OLD;
  END $$;

  CREATE FUNCTION refuse_deletion_of_buyer() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM orders WHERE user_id = OLD.id AND completed_at IS NOT NULL) THEN
      RAISE EXCEPTION 'user % has completed orders and cannot be deleted', OLD.id
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN OLD;
  END $$;

  CREATE FUNCTION refuse_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM orders WHERE completed_at IS NOT NULL) THEN
      RAISE EXCEPTION '% cannot be truncated: there are sold orders', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
    END IF;
    RETURN NULL;
  END $$;
`;
}

function refuseDelete({
  table,
  when,
  execute,
}: {
  table: string;
  when?: string | undefined;
  execute: string;
}): Statements {
  return run(`
    CREATE TRIGGER ${table}_kept BEFORE DELETE ON ${table}
    FOR EACH ROW ${when === undefined ? '' : `WHEN (${when})`} EXECUTE FUNCTION ${execute};
  `);
}

function reference(
  { table, column, parent }: { table: string; column: string; parent: string },
  onDelete: string,
  validity = '',
): Statements {
  return run(`
    ALTER TABLE ${table} DROP CONSTRAINT ${table}_${column}_fkey,
      ADD CONSTRAINT ${table}_${column}_fkey FOREIGN KEY (${column}) REFERENCES ${parent} ON DELETE ${onDelete} ${validity};
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of NOT_TRUNCATED) await knex.raw(`DROP TRIGGER ${table}_not_truncated ON ${table}`);
  for (const { table } of [...KEPT, ...KEPT_WITH, { table: 'shipments' }, { table: 'users' }]) {
    await knex.raw(`DROP TRIGGER ${table}_kept ON ${table}`);
  }
  await knex.raw(`
    DROP FUNCTION refuse_deletion(), refuse_deletion_alone(), refuse_deletion_of_sold_shipment(),
      refuse_deletion_of_buyer(), refuse_truncation();
  `);
  for (const [table, name] of CHECKS) await knex.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_${name}`);
  for (const { before, ...link } of RESTRICTED) await reference(link, before)(knex);
}
