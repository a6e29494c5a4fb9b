export const ERROR_DESCRIPTIONS = {
  401: 'The token is unknown, or the caller may not do this.',
  404: 'There is no such record, or the caller may not know of it.',
  422: 'The input is invalid, or the state of the record forbids it.',
  503: 'The service cannot answer now; repeat after `Retry-After` seconds.',
} as const;

/** The reference page's introduction. */
export function describeApi(): string {
  return `
An online store as a JSON API: catalog, inventory, orders and their checkout, payments, shipments, returns.

### Who you are
Send a user's token as \`X-Store-Token\`. Without one you are a guest of the shop: you may browse, and open an order.
\`POST /api/v1/users\` signs a customer up, \`POST /api/v1/sessions\` signs in; both answer with a token.
An order belongs to its owner and to whoever presents its \`token\`, as \`X-Order-Token\` or \`?order_token=\`.

### How to ask
Parameters may come as JSON, as a form, as multipart or in the query string in bracket notation
(\`product[name]=Tote\`); they are merged, the path before the body before the query. Every path also answers with
\`.json\` appended or a slash at the end. \`PATCH\` works wherever \`PUT\` does.

### Lists
\`page\` and \`per_page\` (25 unless told, 500 at most) choose the page. \`q[<attribute>_<predicate>]=<value>\` searches:
\`eq\`, \`not_eq\`, \`cont\`, \`start\`, \`end\`, \`matches\`, \`lt\`, \`lteq\`, \`gt\`, \`gteq\`, \`in\`, \`null\`, \`present\`, \`true\` and
their opposites, most also with \`_any\` and \`_all\`; \`a_or_b_cont\` asks either attribute; attributes of associated
records are written \`association_attribute\`. \`q[s]=name desc\` sorts. A condition that means nothing here is left out
and named in the \`X-Ignored-Conditions\` header. Totals also stand in \`X-Total-Count\`, \`X-Pages\` and \`Link\`.

### Errors
\`{"error": "…"}\`, with \`errors\` (messages by field) when the input is at fault: 401 not allowed, 404 not found,
422 invalid or not possible in this state, 409 and 503 repeat later.

### Amounts and times
Amounts are strings holding exact decimals (\`"19.99"\`); \`display_*\` fields are for people. Times are ISO 8601, UTC.
`.trim();
}
