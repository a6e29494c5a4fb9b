import {
  checkConfiguration,
  checkEnvironment,
  checkPayments,
  checkPort,
  checkProgram,
} from './program-findings';
import { checkDatabase } from './database-findings';
import { checkMail, checkSecretKey, checkStorage } from './storage-findings';
import { checkLinks, checkMetrics, checkWorker } from './link-findings';
import { checkTopology } from './topology-findings';
import type { Facts } from './facts';
import type { Finding } from './finding';

/** Evaluates the facts, in the order of the report. Pure. */
export function evaluateFacts(facts: Facts): Finding[] {
  return [
    ...checkProgram(facts),
    ...checkEnvironment(facts),
    ...checkConfiguration(facts),
    ...checkDatabase(facts),
    ...checkTopology(facts),
    ...checkPayments(facts),
    ...checkStorage(facts),
    ...checkMail(facts),
    ...checkWorker(facts),
    ...checkLinks(facts),
    ...checkMetrics(facts),
    ...checkSecretKey(facts),
    ...checkPort(facts),
  ];
}
