# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = De plattegrond laden…
map-label = Zaalplattegrond van { $venue }. Pijltjes verplaatsen, Enter kiest, plus en min zoomen, Escape gaat terug. De lijst heeft dezelfde inhoud.
map-zoom = Zoomen
map-zoom-in = Inzoomen
map-zoom-out = Uitzoomen
map-whole = De hele zaal tonen
map-filter = Prijzen en soorten plaatsen
map-accessible = Toegankelijk
map-from-price = vanaf { $price }
map-sold-out = uitverkocht
map-seats-left = { $count ->
    [one] nog { $count } stoel
   *[other] nog { $count } stoelen
}
map-places-left = { $count ->
    [one] nog { $count } plaats
   *[other] nog { $count } plaatsen
}
map-none-left = Geen meer
map-hot = { $place } gaat nu snel.

## A seat's card

card-label = Stoel
card-add = Deze stoel toevoegen
card-remove = Deze stoel weghalen
card-state-free = Vrij
card-state-mine = Voor u vastgehouden
card-state-gone = Bezet
card-state-chosen = Gekozen
card-each = { $price } per stuk
card-fees = inclusief alle kosten
card-wheelchair = plaats voor een rolstoel
card-companion = begeleidersstoel naast een rolstoelplaats
card-restricted = Beperkt zicht
card-clear = Vrij zicht
card-away = op ongeveer { $metres } m: { $focus }

## What is offered

offer-seats = Rij { $row }, stoelen { $numbers }
offer-others = Andere
offer-others-label = Andere stoelen aanbieden in plaats van { $seats }
offer-standing = Staanplaatsen mogen ook
offer-no-others = Er zijn geen andere zoals deze. Deze blijven van u.
offer-no-others-lost = Er zijn geen andere zoals deze, en intussen was iemand sneller.
offer-hold = In plaats daarvan { $seats } vasthouden, { $price }
