/** Whether this transaction changes rows without changing their `updated_at`. */
export const KEEP_TIMES = `(coalesce(current_setting('store.keep_times', true), '') = 'on')`;

/** Builds the trigger function that sets `updated_at`, for migrations that change all rows of a table. @param time SQL */
export function createTouch(time: string): string {
  return `
    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT ${KEEP_TIMES} THEN
        NEW.updated_at := ${time};
      END IF;
      RETURN NEW;
    END $$;`;
}
