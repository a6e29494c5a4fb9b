import { configurationFindings, portFindings, programFindings } from './program-findings';
import { databaseFindings } from './database-findings';
import { secretFindings, storageFindings } from './storage-findings';
import type { Facts } from './facts';
import type { Finding } from './finding';

/** What the facts mean, in the order they are told. Pure. */
export function findingsOf(facts: Facts): Finding[] {
  return [
    ...programFindings(facts),
    ...configurationFindings(facts),
    ...databaseFindings(facts),
    ...storageFindings(facts),
    ...secretFindings(facts),
    ...portFindings(facts),
  ];
}
