/** What a reader of the reference page should know before any endpoint. */
export const INTRODUCTION = `
An online store as a JSON API: catalog, inventory, orders and their checkout, payments, shipments, returns.

### Who you are
Send a user's token as \`X-Store-Token\`. Without one you are a guest of the shop: you may browse, and open an order.
\`POST /api/v1/users\` signs a customer up, \`POST /api/v1/sessions\` signs in; both answer with a token.
An order belongs to its owner and to whoever presents its \`token\`, as \`X-Order-Token\` or \`?order_token=\`.

### How to ask
Parameters may come as JSON, as a form, as multipart or in the query string in bracket notation
(\`product[name]=Tote\`); they are merged, the path before the body before the query. Every path also answers with
\`.json\` appended or a slash at the end. \`PATCH\` works wherever \`PUT\` does. In a change a missing field stays as it
is, and \`null\` clears it.

### Lists
\`page\` and \`per_page\` (25 unless told, 500 at most) choose the page; the totals stand in the envelope and in the
headers \`X-Total-Count\`, \`X-Pages\` and \`Link\`. Several conditions must all hold, or any of them with \`q[m]=or\`.

| predicate | holds when the attribute |
|---|---|
| \`eq\` \`not_eq\` | is the value, or is not |
| \`cont\` \`start\` \`end\`, each also with \`not_\` | contains the text, begins or ends with it; letter case does not matter |
| \`matches\` \`does_not_match\` | fits the pattern, in which \`%\` is any text and \`_\` any character |
| \`lt\` \`lteq\` \`gt\` \`gteq\` | is less, at most, more, at least |
| \`in\` \`not_in\` | is one of a list: \`q[id_in][]=1&q[id_in][]=2\` |
| \`null\` \`not_null\` \`present\` \`blank\` | has no value, has one; is not empty, is empty |
| \`true\` \`false\` | is so; for attributes that are true or false |

Most take \`_any\` and \`_all\` for several values (\`name_cont_any\`). \`name_or_sku_cont\` asks either attribute.
Attributes of associated records are written \`association_attribute\`. \`q[s]=name desc\` sorts. Each list tells below
what may be named; anything else is left out and reported in the header \`X-Ignored-Conditions\`.

### Replies
Amounts are strings holding exact decimals (\`"19.99"\`); \`display_*\` fields are for people. Times are ISO 8601, UTC.
Send the \`ETag\` of a reply back as \`If-None-Match\` to be answered 304, without a body, while nothing has changed.

### Errors
\`{"error": "…"}\`, with \`errors\` (messages by field) when the input is at fault. They are decided in this order: 401
for the token and for what the caller may never do, 404 for what does not exist, 401 for a record of somebody else's, 422
for the input and for what its state does not allow. 409 and 503 mean to repeat the request after \`Retry-After\`
seconds. What was refused has changed nothing, with one exception: what a checkout step applied before it was refused
stays.
`.trim();
