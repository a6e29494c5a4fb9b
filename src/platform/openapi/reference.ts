import type { Route } from '../http/endpoint';

/** The texts and examples of the API document that are not derived from the code. */
export interface ApiReference {
  title: string;
  /** The credentials of clients, by the names that `access` uses. */
  securitySchemes: Readonly<Record<string, SecurityScheme>>;
  /** For each access of endpoints: the accepted credentials, and who may call. */
  access: Readonly<Record<string, AccessText>>;
  /** The introduction, in Markdown. */
  introduction: string;
  /** The tags of all routers with their descriptions, in the order of the document. */
  tags: readonly { name: string; description: string }[];
  /** Descriptions of parameters whose schema has none. */
  parameters: { path: Readonly<Record<string, string>>; query: Readonly<Record<string, string>> };
  /** Descriptions of properties whose schema has none, by their name. For names with the same meaning everywhere. */
  properties: Readonly<Record<string, string>>;
  /** The values of X-Error-Code that an operation returns besides those that follow from its access and its input. */
  errorCodes: Partial<Record<Route, readonly string[]>>;
  /** The statuses of the values of X-Error-Code. */
  errorStatuses: Readonly<Record<string, { status: number }>>;
  /** The example values of parameters. */
  parameterExamples: {
    /** By the path up to and including the parameter: `/products/:product_id/variants/:id`. */
    places: Readonly<Record<string, ParameterExample>>;
    /** By parameter name, for routes that require another record. */
    routes: Partial<Record<Route, Readonly<Record<string, ParameterExample>>>>;
    /** Query parameters that a useful example needs. */
    queries: Partial<Record<Route, Readonly<Record<string, ParameterExample>>>>;
    /** Routes whose example uses a record that the example of another route creates. */
    madeBy: Partial<Record<Route, Route>>;
  };
  /** Example bodies of requests. */
  requestExamples: Partial<Record<Route, unknown>>;
  /** Example records in replies, by the id of their schema. */
  replyExamples: Readonly<Record<string, unknown>>;
  refusalExamples: RefusalExamples;
}

/** A header that contains a credential. */
export type SecurityScheme = {
  type: 'apiKey';
  in: 'header';
  name: string;
  description: string;
};

/** The description of who may call an endpoint. */
export interface AccessText {
  /** The accepted security schemes; `{}` means none. */
  security: readonly Record<string, string[]>[];
  words: string;
  /** Whether unauthorized calls return 404, even for paths without a parameter. */
  hidesRecord?: true;
}

/** Example errors that name records of the API. */
export interface RefusalExamples {
  /** The error of a 403. */
  forbidden: string;
  /** Bodies of a 422. */
  invalid: {
    /** The body if the state of a record does not allow the change, with the missing fields. */
    state: { error: string; errors: Record<string, string[]> };
    /** An error without fields. */
    refused: string;
  };
}

export type ParameterExample = string | number | Readonly<Record<string, string>>;
