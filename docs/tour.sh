#!/usr/bin/env bash
# The commands of the tour in README.md. test/contract/readme.test.ts checks that both are the same and runs this file.
# Requires curl, Node.js and a store with the demo data: ADMIN_TOKEN=... bash docs/tour.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# --- tour ---

STORE=${STORE:-http://127.0.0.1:3000}/api/v1
ADMIN="X-Store-Token: ${ADMIN_TOKEN:?set it to the token that the first start printed}"
JSON='Content-Type: application/json'
api() { curl --fail-with-body -sS "$@"; }
show() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }

api "$STORE/products?per_page=3" | show '.products.map((p) => [p.name, p.display_price])'
api "$STORE/taxonomies" | show '.taxonomies.map((t) => [t.name, t.root.taxons.map((child) => child.name)])'

api -G "$STORE/products" --data-urlencode 'q[name_or_description_cont]=mug' --data-urlencode 'q[s]=price desc' |
  show '.products.map((p) => [p.name, p.display_price])'

PRODUCT=$(api -X POST "$STORE/products" -H "$ADMIN" -H "$JSON" -d '{"product": {
  "name": "Harbour Tote", "price": "20.00", "available_on": "2026-01-01", "shipping_category": "Default",
  "variants": [{"price": "24.00", "options": [{"name": "color", "value": "navy"}]}]
}}')
SLUG=$(show .slug <<< "$PRODUCT")
VARIANT=$(show '.variants[0].id' <<< "$PRODUCT")

api -X POST "$STORE/products/$SLUG/images" -H "$ADMIN" \
  -F 'image[attachment]=@docs/tote.png' -F 'image[alt]=A navy tote bag' | show .large_url

LOCATION=$(api "$STORE/stock_locations" -H "$ADMIN" | show '.stock_locations[0].id')
ITEM=$(api -G "$STORE/stock_locations/$LOCATION/stock_items" -H "$ADMIN" -d "q[variant_id_eq]=$VARIANT" |
  show '.stock_items[0].id')
api -X POST "$STORE/stock_locations/$LOCATION/stock_movements" -H "$ADMIN" \
  -d "stock_movement[stock_item_id]=$ITEM" -d 'stock_movement[quantity]=10' -d 'stock_movement[action]=received' |
  show .stock_item.count_on_hand

ANN="X-Store-Token: $(api -X POST "$STORE/users" \
  -d "user[email]=ann-$VARIANT@example.com" -d 'user[password]=correct horse battery' | show .token)"

ORDER=$(api -X POST "$STORE/orders" -H "$ANN" | show .number)
api -X POST "$STORE/orders/$ORDER/line_items" -H "$ANN" \
  -d "line_item[variant_id]=$VARIANT" -d 'line_item[quantity]=2' | show .display_amount

api -X PUT "$STORE/checkouts/$ORDER/next" -H "$ANN" | show .state
SHIPMENT=$(api -X PUT "$STORE/checkouts/$ORDER" -H "$ANN" -H "$JSON" -d '{"order": {
  "use_billing": true,
  "bill_address": {
    "firstname": "Ann", "lastname": "Lee", "address1": "1 Harbour Street", "city": "Portland", "zipcode": "04101",
    "phone": "207-555-0100", "country": {"iso": "US"}, "state": {"abbr": "ME"}
  }
}}' | show '.shipments[0].id')

api "$STORE/orders/$ORDER" -H "$ANN" |
  show '.shipments[0].shipping_rates.map((rate) => [rate.id, rate.name, rate.display_cost])'
RATE=$(api "$STORE/orders/$ORDER" -H "$ANN" | show '.shipments[0].shipping_rates[1].id')
METHOD=$(api -X PUT "$STORE/checkouts/$ORDER" -H "$ANN" -H "$JSON" -d '{"order": {
  "shipments_attributes": [{"id": '"$SHIPMENT"', "selected_shipping_rate_id": '"$RATE"'}]
}}' | show '.payment_methods.find((method) => method.name === "Credit Card").id')

api -X PUT "$STORE/checkouts/$ORDER" -H "$ANN" -H "$JSON" -d '{
  "order": {"payments_attributes": [{"payment_method_id": '"$METHOD"'}]},
  "payment_source": {"'"$METHOD"'": {
    "number": "4111111111111111", "month": "12", "year": "2035", "verification_value": "123", "name": "Ann Lee"
  }}
}' | show .state
api -X PUT "$STORE/checkouts/$ORDER/next" -H "$ANN" | show .state

PAYMENT=$(api "$STORE/orders/$ORDER/payments" -H "$ADMIN" | show '.payments[0].id')
api -X PUT "$STORE/orders/$ORDER/payments/$PAYMENT/capture" -H "$ADMIN" | show .state
PARCEL=$(api "$STORE/orders/$ORDER" -H "$ADMIN" | show '.shipments[0].number')
api -X PUT "$STORE/shipments/$PARCEL/ship" -H "$ADMIN" -d 'shipment[tracking]=1Z-5500' | show .state

RETURNS="$STORE/orders/$ORDER/return_authorizations"
REASON=$(api "$RETURNS/new" -H "$ADMIN" | show '.return_authorization_reasons[0].id')
RETURN=$(api -X POST "$RETURNS" -H "$ADMIN" -d 'return_authorization[amount]=24.00' \
  -d "return_authorization[stock_location_id]=$LOCATION" \
  -d "return_authorization[return_authorization_reason_id]=$REASON" | show .id)
api -X PUT "$RETURNS/$RETURN/add" -H "$ADMIN" -d "variant_id=$VARIANT" -d quantity=1 | show .state
api -X PUT "$RETURNS/$RETURN/receive" -H "$ADMIN" | show .state
api "$STORE/variants/$VARIANT" | show .total_on_hand

api "$STORE/orders/$ORDER" -H "$ANN" | show .payment_state
api -X PUT "$STORE/orders/$ORDER/payments/$PAYMENT/credit" -H "$ADMIN" -d amount=24.00 | show .state
api "$STORE/orders/$ORDER" -H "$ANN" | show .payment_state

api "$STORE/orders/$ORDER/history" -H "$ANN" |
  show '.state_changes.map((c) => `${c.subject_type}: ${c.from_state} -> ${c.to_state} (${c.reason})`)'
