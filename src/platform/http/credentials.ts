/** Where requests carry credentials, which the application decides. */
export interface CredentialNames {
  /** The header with the token of the actor. */
  header: string;
  /** The parameter with the token of the actor, where it is not in the header. */
  parameter: string;
  /** All parameters with credentials: every endpoint accepts them, and no URL in a reply repeats them. */
  parameters: readonly string[];
}
