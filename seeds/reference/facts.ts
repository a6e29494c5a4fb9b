import type { Knex } from 'knex';
import countries from './countries.json';
import states from './states.json';

/**
 * Loads the ISO 3166 countries and states from countries.json and states.json: adds missing ones in file order and
 * updates changed names. It removes none, because addresses may refer to them. Four statements, and no write if nothing
 * has changed. Safe to repeat, and to run on several instances at once.
 */
export async function loadFacts(db: Knex): Promise<void> {
  await db.transaction(async (tx) => {
    // Serializes the starts of several instances without blocking readers.
    await tx.raw('LOCK TABLE countries, states IN SHARE ROW EXCLUSIVE MODE');
    await loadCountries(tx);
    await loadStates(tx);
  });
}

const COUNTRY_FACTS = `
  SELECT * FROM ROWS FROM (
    jsonb_to_recordset(:facts) AS (iso text, iso3 text, numcode integer, name text, iso_name text, states_required boolean)
  ) WITH ORDINALITY AS fact (iso, iso3, numcode, name, iso_name, states_required, rank)`;

async function loadCountries(tx: Knex.Transaction): Promise<void> {
  const facts = JSON.stringify(countries);
  await tx.raw(
    `UPDATE countries SET iso3 = fact.iso3, numcode = fact.numcode, name = fact.name, iso_name = fact.iso_name,
       states_required = fact.states_required
     FROM (${COUNTRY_FACTS}) AS fact
     WHERE countries.iso = fact.iso
       AND (countries.iso3, countries.numcode, countries.name, countries.iso_name, countries.states_required)
         IS DISTINCT FROM (fact.iso3, fact.numcode, fact.name, fact.iso_name, fact.states_required)`,
    { facts },
  );
  await tx.raw(
    `INSERT INTO countries (iso, iso3, numcode, name, iso_name, states_required)
     SELECT fact.iso, fact.iso3, fact.numcode, fact.name, fact.iso_name, fact.states_required
     FROM (${COUNTRY_FACTS}) AS fact
     WHERE NOT EXISTS (SELECT FROM countries WHERE countries.iso = fact.iso)
     ORDER BY fact.rank`,
    { facts },
  );
}

const STATE_FACTS = `
  SELECT countries.id AS country_id, fact.name, fact.abbr, fact.rank
  FROM ROWS FROM (
    jsonb_to_recordset(:facts) AS (country text, name text, abbr text)
  ) WITH ORDINALITY AS fact (country, name, abbr, rank)
  JOIN countries ON countries.iso = fact.country`;

async function loadStates(tx: Knex.Transaction): Promise<void> {
  const facts = JSON.stringify(
    Object.entries(states).flatMap(([country, list]) => list.map((state) => ({ country, ...state }))),
  );
  await tx.raw(
    `UPDATE states SET name = fact.name
     FROM (${STATE_FACTS}) AS fact
     WHERE states.country_id = fact.country_id AND states.abbr = fact.abbr AND states.name <> fact.name`,
    { facts },
  );
  await tx.raw(
    `INSERT INTO states (country_id, name, abbr)
     SELECT fact.country_id, fact.name, fact.abbr
     FROM (${STATE_FACTS}) AS fact
     WHERE NOT EXISTS (SELECT FROM states WHERE states.country_id = fact.country_id AND states.abbr = fact.abbr)
     ORDER BY fact.rank`,
    { facts },
  );
}
