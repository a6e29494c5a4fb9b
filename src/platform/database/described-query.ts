import { Query } from 'pg';

/** A column of a result, as PostgreSQL describes it. */
interface Field {
  name: string;
  dataTypeID: number;
  format: string;
}

/** The connection that pg passes to a query, which writes its messages to it. */
interface Wire {
  describe(message: object): void;
}

/** What pg calls on a query in progress; its type declarations lack these members. */
interface QueryInternals {
  name: string | undefined;
  _result: Description;
  _accumulateRows: boolean;
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: Field[] }): void;
}

/** The columns of a result, and what builds its rows. */
interface Description {
  fields: Field[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

type Callback = (error: Error | null | undefined, result?: unknown) => void;

// The members above are not declared.
const BaseQuery = Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  callback: Callback,
) => QueryInternals;

/** The columns of the prepared statements of one connection, by name. */
export type Descriptions = Map<string, Description>;

/**
 * A prepared statement whose columns are requested at its first use only. PostgreSQL does not change them: it refuses
 * the statement instead. Reading the description of the 60 columns of an order takes longer than reading its row.
 */
export class DescribedQuery extends BaseQuery {
  constructor(
    { text, name, values }: { text: string; name: string; values?: unknown[] },
    callback: Callback,
    private readonly descriptions: Descriptions,
  ) {
    // pg would copy the property descriptors of an object.
    super(text, values, callback);
    this.name = name;
  }

  override prepare(wire: Wire): void {
    const described = this.name === undefined ? undefined : this.descriptions.get(this.name);
    if (described === undefined) return super.prepare(wire);
    Object.assign(this._result, described);
    this._accumulateRows = true;
    const wireWithoutDescribe = Object.create(wire) as Wire; // has its members
    super.prepare(Object.assign(wireWithoutDescribe, { describe: () => {} }));
  }

  override handleRowDescription(message: { fields: Field[] }): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (this.name !== undefined) {
      this.descriptions.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
    }
  }
}
