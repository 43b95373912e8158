# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = Loading the map…
map-label = Seat map of { $venue }. Arrow keys move, Enter chooses, plus and minus zoom, Escape goes back. The list has the same content.
map-zoom = Zoom
map-zoom-in = Zoom in
map-zoom-out = Zoom out
map-whole = Show the whole venue
map-filter = Prices and kinds of places
map-accessible = Accessible
map-from-price = from { $price }
map-sold-out = sold out
map-seats-left = { $count ->
    [one] { $count } seat left
   *[other] { $count } seats left
}
map-places-left = { $count ->
    [one] { $count } place left
   *[other] { $count } places left
}
map-none-left = None left
map-hot = { $place } sells fast just now.

## A seat's card

card-label = Seat
card-add = Add this seat
card-remove = Remove this seat
card-state-free = Free
card-state-mine = Held for you
card-state-gone = Taken
card-state-chosen = Chosen
card-each = { $price } each
card-fees = all fees in
card-wheelchair = space for a wheelchair
card-companion = companion seat, beside a wheelchair space
card-restricted = Restricted view
card-clear = Clear view
card-away = about { $metres } m to the { $focus }

## What is offered

offer-seats = Row { $row }, seats { $numbers }
offer-others = Others
offer-others-label = Offer other seats instead of { $seats }
offer-standing = Standing places will do, too
offer-no-others = There are no others like these. These stay yours.
offer-no-others-lost = There are no others like these, and somebody was faster at these meanwhile.
offer-hold = Hold { $seats } instead, { $price }
