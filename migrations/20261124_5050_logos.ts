import { run, type Steps } from '../src/platform/database/migrations/steps';

/**
 * The logos of stores, by the hash of their contents. Documents print the logo of the time at which they were made, so logos are
 * kept.
 */
export const up: Steps = [
  run(`
    CREATE TABLE document_logos (
      hash text CONSTRAINT document_logos_pkey PRIMARY KEY,
      content bytea NOT NULL CONSTRAINT document_logos_content_short CHECK (octet_length(content) <= 1048576),
      created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
    );`),
  run(
    `ALTER TABLE stores ADD COLUMN document_logo text CONSTRAINT stores_document_logo_fkey REFERENCES document_logos`,
  ),
  run('CREATE INDEX stores_document_logo_index ON stores (document_logo) WHERE document_logo IS NOT NULL'),
];

export const down: Steps = [
  run('ALTER TABLE stores DROP COLUMN document_logo'),
  run('DROP TABLE document_logos'),
];
