/** The introduction of the reference page. */
export const INTRODUCTION = `
The back end of an online store as a JSON API: catalog, inventory, orders, checkout, payments, shipments and returns.

See also: the [guides](/docs/guides), the [state machines](/docs/state-machines) of orders, payments, shipments and returns, the [error codes](/docs/errors), the API as an
[OpenAPI 3.1 document](/api/v1/openapi.json), and a [Postman collection](/docs/store.postman_collection.json) that starts with a
complete checkout. The examples use the demo store and work as they are: open **Token** at the top, paste an administrator's
token, and press **Send** at an operation. The token stays in the tab of the browser until it is closed (\`sessionStorage\`).

## Authentication
Send a user's API token in the header \`X-Store-Token\`, or in the parameter \`token\` if you cannot set headers. The header takes
precedence. Requests without a token are guest requests: a guest can browse the catalog and place orders.

    curl -H 'X-Store-Token: …' $HOST/api/v1/users/me
    curl "$HOST/api/v1/users/me?token=…"

\`POST /api/v1/users\` creates an account and \`POST /api/v1/sessions\` signs in; both return a token. An invalid token is rejected
with 401, even for requests that are open to guests.

API tokens can be limited. \`POST /users/:id/tokens\` accepts \`scopes\` such as \`stock:write\` (areas: \`catalog\`, \`stock\`,
\`orders\`, \`shipments\`, \`payments\`, \`customers\`, \`settings\`, \`events\`, \`reports\`; \`write\` includes \`read\`) and \`expires_at\`.
Each endpoint below names its scope. A token has at most its user's permissions; outside its scopes it gets 401, and on public reads
it counts as a guest. Members of staff have roles, which are named sets of scopes; where these texts say admins, they mean
members of staff with the scope of the endpoint. Only the role \`admin\` has all of them, and only it manages roles, and the tokens and
passwords of others.

An order can be accessed by its owner, by admins, and by anyone who sends the order's \`token\` as \`X-Order-Token\` or
\`?order_token=\`. The response to \`POST /orders\` contains this token, so guests can check out without an account:

    curl -X POST $HOST/api/v1/orders                     # {"number": "R268286187", "token": "…", …}
    curl -H 'X-Order-Token: …' $HOST/api/v1/orders/R268286187

## Requests
Send parameters as JSON, as a form, as multipart or in the query string with brackets (\`product[name]=Tote\`). They are merged: path
parameters override the body, and the body overrides the query string. Every path also works with the suffix \`.json\` or a trailing
slash. \`PATCH\` is the same as \`PUT\`. HTML forms can send the method in \`_method\`. In updates, an omitted field keeps its value, and
\`null\` clears it.

## Lists
Lists are paginated with \`page\` and \`per_page\` (default 25, maximum 500). The response body and the headers \`X-Total-Count\`,
\`X-Pages\` and \`Link\` contain the totals. Filter with \`q[attribute_predicate]=value\` and sort with \`q[s]\`. (In the field \`q\` of the
form at an operation, write \`name_cont=mug&s=name desc\`, or a JSON object.)

| request | result |
|---|---|
| [\`/products?q[name_or_description_cont]=mug\`](/api/v1/products?q[name_or_description_cont]=mug) | products with "mug" in their name or description |
| [\`/products?q[price_gteq]=20&q[price_lt]=30&q[s]=price desc\`](/api/v1/products?q[price_gteq]=20&q[price_lt]=30&q[s]=price%20desc) | prices from 20 to below 30, most expensive first |
| [\`/products?q[taxons_name_eq]=Drinkware&per_page=3&page=2\`](/api/v1/products?q[taxons_name_eq]=Drinkware&per_page=3&page=2) | the second page of a category, filtered by an association |
| [\`/variants?q[sku_start]=KC-&q[option_values_name_in][]=white&q[option_values_name_in][]=black\`](/api/v1/variants?q[sku_start]=KC-&q[option_values_name_in][]=white&q[option_values_name_in][]=black) | one of several values |
| [\`/products?q[name_cont]=tee&q[price_gt]=100&q[m]=or\`](/api/v1/products?q[name_cont]=tee&q[price_gt]=100&q[m]=or) | either condition instead of both |
| [\`/products?ids=12,1\`](/api/v1/products?ids=12,1) | exactly these products |

| predicate | matches if the attribute |
|---|---|
| \`eq\` \`not_eq\` | equals the value, or does not |
| \`cont\` \`start\` \`end\`, each also with \`not_\` | contains, starts with or ends with the text; case-insensitive |
| \`matches\` \`does_not_match\` | matches the pattern, in which \`%\` stands for any text and \`_\` for any character |
| \`lt\` \`lteq\` \`gt\` \`gteq\` | is less than, at most, greater than, at least the value |
| \`in\` \`not_in\` | is in a list: \`q[id_in][]=1&q[id_in][]=2\` |
| \`null\` \`not_null\` \`present\` \`blank\` | is null, is not null, is not empty, is empty |
| \`true\` \`false\` | is true or false; for boolean attributes |
| \`contains\` | contains the JSON object, for \`metadata\`; admins only: \`q[metadata_contains]={"erp_id":"4711"}\` |

Most predicates accept \`_any\` and \`_all\` for several values (\`name_cont_any\`). \`name_or_sku_cont\` matches if one of the attributes
does. Attributes of associated records are written as \`association_attribute\`. The description of each list names its searchable
attributes. Unknown conditions are ignored and reported in the header \`X-Ignored-Conditions\`.

In conditions, a time without an offset is UTC, and a date is its beginning in UTC: for days of the store send
\`q[created_at_gteq]=2027-01-01T00:00:00%2B01:00\`. Only \`from\` and \`to\` of reports are days in the time zone of the store.

Lists with the parameter \`cursor\` are feeds for programs that keep a copy of the records: the [guide](/docs/guides/erp-in-step) has a loop that
misses no change.

## Responses
Amounts are strings that contain exact decimals (\`"19.99"\`). \`display_*\` fields are formatted for display. Times are ISO 8601 in UTC.
Send the \`ETag\` of a response as \`If-None-Match\` to get 304 without a body while the data is unchanged.

## Errors
| status | body | reason |
|---|---|---|
| 400 | \`{"error": "The request body could not be parsed."}\` | the request is malformed |
| 401 | \`{"error": "You are not authorized to perform that action."}\` | the caller lacks permission |
| 401 | \`{"error": "Invalid API key (…) specified."}\` | the token is invalid |
| 403 | \`{"error": "This payment cannot be updated because it is completed."}\` | the payment's state does not allow updates |
| 404 | \`{"error": "The resource you were looking for could not be found."}\` | the record does not exist or is not visible to the caller |
| 409 | \`{"error": "Another request is changing this record. Please try again."}\` | a concurrent change; has \`Retry-After\` |
| 412 | \`{"error": "The record has changed. Fetch it again."}\` | the record does not match \`If-Match\` |
| 413 | \`{"error": "The request is too large."}\` | a body over 1 MiB, an image over 10 MiB, a CSV file over 256 MiB, or more than 1,000 parameters in a form or query |
| 422 | \`{"error": "Invalid resource. Please fix errors and try again.", "errors": {"name": ["can't be blank"]}}\` | invalid input, with messages by field; \`base\` stands for the whole record |
| 422 | \`{"error": "The order could not be transitioned. Please fix the errors and try again.", "errors": {…}}\` | the order does not meet the requirements of the step |
| 422 | \`{"error": "…"}\` | any other rule, or an error of the payment gateway |
| 422 | \`{"success": null, "error": "…", "successful": false, "status_code": "coupon_code_not_found"}\` | coupon codes |
| 422 | \`{"success": false, "message": "There was an error transferring variants"}\` | transfers between shipments |
| 429 | \`{"error": "Too many attempts. Please try again later."}\` | too many attempts, such as failed sign-ins; has \`Retry-After\` |
| 500 | \`{"error": "…"}\` | a server error; \`X-Request-Id\` identifies it in the log |
| 503 | \`{"error": "The service is busy. Please try again."}\` | overload or an outage; has \`Retry-After\` |

The header \`X-Error-Code\` of every error has a stable code, such as \`insufficient_stock\`; [Errors](/docs/errors) lists the codes with cause and
solution. \`X-Error-Hint\` has a sentence on how to correct the request, if there is one. A path that exists for other methods has \`Allow\`.

Checks run in this order: 401 for the token and for actions the caller may never perform, 404 for missing records, 401 for records
of other users, then 422 for invalid input and for actions that the state does not allow. A failed request changes nothing, with one
exception: a failed checkout step keeps the input that was applied before the failure.

## Retries
After 409, 429 or 503, retry the request once \`Retry-After\` seconds have passed. To retry safely when no response arrived, send writes
with an \`Idempotency-Key\` header, for example a new UUID for each request:

- For 24 hours, the same request with the same key has one effect and gets the same response, even if the server crashed before it
  replied. A repeated response has the header \`Idempotency-Replayed: true\`. All writes except sign-up and sign-in accept a key.
- A key has 1 to 255 visible ASCII characters. It belongs to the user of the token, else to the order token, else to the client's
  network address. In the last case it needs at least 16 characters.
- Another request with the same key fails with 422. While the first request is running, a second one waits for up to five seconds
  and then gets 409.
- Responses with 5xx, 401, 408, 409, 412, 413 and 429 are not stored; a retry with the same key runs the request again.

Without a key:

- \`GET\` and \`PUT\` updates can be repeated any number of times. A second \`DELETE\` returns 404.
- \`capture\`, \`purchase\`, \`void\`, \`authorize\`, \`ready\` and \`ship\` are idempotent: a repeated request returns the current state.
  \`cancel\` and \`receive\` fail with 422 the second time.
- \`next\` advances another step each time, \`credit\` with an \`amount\` refunds it again, and \`POST\` creates another record. Read the
  order, the payment or the list before you repeat them.

Lost responses from the payment gateway never move money twice: the gateway call is retried with the same idempotency key.

## Concurrent updates
Send the \`ETag\` of the \`GET\` of a record as \`If-Match\` with \`PUT\`, \`PATCH\` or \`DELETE\`. If the record has changed, the request fails
with 412 and changes nothing. Replies to changes have no \`ETag\`. For records without a \`GET\` of their own, such as line items, send the \`ETag\` of the parent record. A change of the
stock that products, variants, orders and shipments show does not count.

## Ignored parameters
Unknown parameters and fields that the caller may not write are ignored and listed in the header \`X-Ignored-Parameters\`, for example
\`order.line_items.0.colour\`, on errors too. So are values of a list that cannot be read, such as \`per_page=abc\` or a date in \`q\`. If an
error may come from a misspelled name, \`X-Error-Hint\` says so: \`zip\` was ignored; did you mean \`zipcode\`? With the header
\`Prefer: handling=strict\`, ignored parameters are 422 errors, as are unknown conditions in \`q\`. The typed client sends it with
\`strict: true\`, and otherwise logs ignored names during development.

## Limits
Failed sign-ins, refused coupon codes, wrong or missing order tokens, sign-ups and new carts of guests are limited, for each account or order and for each network address.
So is what the requests of guests from one address cost in a minute: a hundred visitors who buy without a pause stay far below. Large pages, facets and
long URLs cost more than small ones; cached replies are free.
Beyond a limit, the response is 429 with \`Retry-After\` and \`RateLimit-*\` headers. A server processes a limited number of requests at a time and rejects more with 503.
While it is busy, requests of an address that has used much of it wait for those of others.
Pages have at most 500 records, and lists of ids at most 1,000. A form has at most 1,000 parameters, as has a query string; JSON
bodies may have 5,000 keys and list entries.
`.trim();
