/** What a reader of the reference page should know before any endpoint. */
export const INTRODUCTION = `
An online store as a JSON API: catalog, inventory, orders and their checkout, payments, shipments, returns.

Beside this page: [how orders, payments, shipments and returns move](/docs/state-machines), this API as
[OpenAPI 3.1](/api/v1/openapi.json), and as a [Postman collection](/docs/store.postman_collection.json) that begins with a whole
checkout. The examples below are of the demo store and can be tried as they stand: press **Authorize** and paste an
administrator's token, open an operation, press **Execute**.

### Who you are
Send a user's token in the header \`X-Store-Token\`, or where headers cannot be set as the parameter \`token\`; the header
wins. Without one you are a guest of the shop: you may browse, and open an order.

    curl -H 'X-Store-Token: …' $HOST/api/v1/users/me
    curl "$HOST/api/v1/users/me?token=…"

\`POST /api/v1/users\` signs a customer up, \`POST /api/v1/sessions\` signs in; both answer with a token. A token that nobody has
is refused with 401, also where a guest would be served.

An order belongs to its owner and to whoever presents the \`token\` that its creation is answered with, as
\`X-Order-Token\` or \`?order_token=\`. So guests buy without signing up:

    curl -X POST $HOST/api/v1/orders                     # {"number": "R268286187", "token": "…", …}
    curl -H 'X-Order-Token: …' $HOST/api/v1/orders/R268286187

### How to ask
Parameters may come as JSON, as a form, as multipart or in the query string in bracket notation
(\`product[name]=Tote\`); they are merged, the path before the body before the query. Every path also answers with
\`.json\` appended or a slash at the end. \`PATCH\` works wherever \`PUT\` does; a form that can only \`POST\` names its verb in
\`_method\`. In a change a missing field stays as it is, and \`null\` clears it.

### Lists
\`page\` and \`per_page\` (25 unless told, 500 at most) choose the page; the totals stand in the envelope and in the
headers \`X-Total-Count\`, \`X-Pages\` and \`Link\`. \`q[attribute_predicate]=value\` searches, \`q[s]\` sorts. (In the fields \`q\` of
this page write \`{"name_cont": "mug", "s": "name desc"}\`.)

| ask | for |
|---|---|
| [\`/products?q[name_or_description_cont]=mug\`](/api/v1/products?q[name_or_description_cont]=mug) | what has to do with mugs |
| [\`/products?q[price_gteq]=20&q[price_lt]=30&q[s]=price desc\`](/api/v1/products?q[price_gteq]=20&q[price_lt]=30&q[s]=price%20desc) | from 20 to 30, the dearest first |
| [\`/products?q[taxons_name_eq]=Drinkware&per_page=3&page=2\`](/api/v1/products?q[taxons_name_eq]=Drinkware&per_page=3&page=2) | the second page of a category, by an association |
| [\`/variants?q[sku_start]=KC-&q[option_values_name_in][]=white&q[option_values_name_in][]=black\`](/api/v1/variants?q[sku_start]=KC-&q[option_values_name_in][]=white&q[option_values_name_in][]=black) | any of several values |
| [\`/products?q[name_cont]=tee&q[price_gt]=100&q[m]=or\`](/api/v1/products?q[name_cont]=tee&q[price_gt]=100&q[m]=or) | either condition instead of both |
| [\`/products?ids=12,1\`](/api/v1/products?ids=12,1) | exactly these |

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
Attributes of associated records are written \`association_attribute\`. Each list tells below what may be named; anything else
is left out and reported in the header \`X-Ignored-Conditions\`.

### Replies
Amounts are strings holding exact decimals (\`"19.99"\`); \`display_*\` fields are for people. Times are ISO 8601, UTC.
Send the \`ETag\` of a reply back as \`If-None-Match\` to be answered 304, without a body, while nothing has changed.

### Errors
| status | body | when |
|---|---|---|
| 400 | \`{"error": "The request body could not be parsed."}\` | the request cannot be read |
| 401 | \`{"error": "You are not authorized to perform that action."}\` | the caller may not do this |
| 401 | \`{"error": "Invalid API key (…) specified."}\` | nobody has this token |
| 403 | \`{"error": "This payment cannot be updated because it is completed."}\` | a payment that is past changing |
| 404 | \`{"error": "The resource you were looking for could not be found."}\` | no such record, or none the caller may know of |
| 409 | \`{"error": "Another request is changing this record. Please try again."}\` | two at once; has \`Retry-After\` |
| 413 | \`{"error": "The request is too large."}\` | a body over 1 MiB, an image over 10 MiB |
| 422 | \`{"error": "Invalid resource. Please fix errors and try again.", "errors": {"name": ["can't be blank"]}}\` | the input, by field; \`base\` is the whole |
| 422 | \`{"error": "The order could not be transitioned. Please fix the errors and try again.", "errors": {…}}\` | the order is not ready for the step |
| 422 | \`{"error": "…"}\` | any other refusal by a rule, or by the payment gateway |
| 422 | \`{"success": null, "error": "…", "successful": false, "status_code": "coupon_code_not_found"}\` | coupon codes |
| 422 | \`{"success": false, "message": "There was an error transferring variants"}\` | transfers between shipments |
| 429 | \`{"error": "Too many attempts. Please try again later."}\` | wrong passwords; has \`Retry-After\` |
| 500 | \`{"error": "…"}\` | a fault of ours; \`X-Request-Id\` finds it in the log |
| 503 | \`{"error": "The service is busy. Please try again."}\` | overload, or an outage beneath; has \`Retry-After\` |

They are decided in this order: 401 for the token and for what the caller may never do, 404 for what does not exist, 401
for a record of somebody else's, 422 for the input and for what its state does not allow. What was refused has changed
nothing, with one exception: what a checkout step applied before it was refused stays.

### To repeat a request
409, 429 and 503 mean to repeat it after \`Retry-After\` seconds. When no answer came at all, send it again with the header
\`Idempotency-Key\` it had the first time, for example a UUID made for it:

- For 24 hours the same request with the same key has one effect and one reply, which then carries \`Idempotency-Replayed: true\`,
  even when the server was stopped between effect and reply. Every \`POST\`, \`PUT\`, \`PATCH\` and \`DELETE\` takes a key but
  sign-up and sign-in.
- A key is 1 to 255 visible ASCII characters, and belongs to the user of the token, else to the order token, else to the
  client's address; in the last case it needs 16 characters or more.
- The same key with another request is 422. While the first request runs, a second one waits up to five seconds, then
  gets 409.
- 5xx, 401, 408, 409, 412, 413 and 429 are not kept: the next request with the key tries again.

Without a key:

- \`GET\` and changes by \`PUT\` may be sent any number of times. The second \`DELETE\` is 404.
- \`capture\`, \`purchase\`, \`void\`, \`authorize\`, \`ready\` and \`ship\` happen once; asked again, they answer with what is.
  \`cancel\` and \`receive\` happen once and are refused with 422 the second time.
- \`next\` takes one more step each time, \`credit\` with an \`amount\` gives it back once more, and \`POST\` makes one more record: read
  the order, the payment or the list first.

No money moves twice because an answer from the payment gateway was lost: it is asked again under the same key.

### To change what others may change too
Send the \`ETag\` that \`GET\` of the record answered as \`If-Match\` with \`PUT\`, \`PATCH\` or \`DELETE\`: 412 when the record has
changed since, and nothing happens. A part that has no page of its own, such as a line item, is compared by the order above it.

### What is ignored
Unknown parameters, and fields the caller may not write, are ignored and listed in the header \`X-Ignored-Parameters\`, as in
\`order.line_items.0.colour\`. With the header \`Prefer: handling=strict\` they are 422 instead, and so is every ignored condition of
\`q\`. Limits of a token (\`scopes\`, \`expires_at\`) are always refused, never ignored.

### Limits
There is no rate limit but on signing in with wrong passwords (429). A server works on a limited number of requests at once
and answers those beyond with 503 at once. Lists have at most 500 records a page, lists of ids at most 1,000.
`.trim();
