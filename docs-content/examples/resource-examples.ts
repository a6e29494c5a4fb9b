import type { ApiReference } from '../../src/platform/openapi/reference';

/** The examples of some resources in the reference. Tests validate them against the schemas. */
export interface ResourceExamples {
  /** Records in replies by the id of their schema. All are about the same order of a tote bag. */
  replies?: ApiReference['replyExamples'];
  /** Bodies of requests whose schema alone does not show what to send. */
  requests?: ApiReference['requestExamples'];
  /** The records that requests name. Each exists in every new demo store, in a state that allows the request. */
  parameters?: Partial<ApiReference['parameterExamples']>;
}
