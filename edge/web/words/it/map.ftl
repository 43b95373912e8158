# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = Caricamento della mappa…
map-label = Mappa dei posti di { $venue }. Le frecce spostano, Invio sceglie, più e meno ingrandiscono e riducono, Esc torna indietro. L'elenco ha lo stesso contenuto.
map-zoom = Zoom
map-zoom-in = Ingrandisci
map-zoom-out = Riduci
map-whole = Mostra tutta la mappa
map-filter = Prezzi e tipi di posti
map-accessible = Accessibile
map-from-price = da { $price }
map-sold-out = esaurito
map-seats-left = { $count ->
    [one] resta { $count } posto
   *[other] restano { $count } posti
}
map-places-left = { $count ->
    [one] resta { $count } posto
   *[other] restano { $count } posti
}
map-none-left = Nessuno rimasto
map-hot = { $place } si vende in fretta in questo momento.

## A seat's card

card-label = Posto
card-add = Aggiungi questo posto
card-remove = Togli questo posto
card-state-free = Libero
card-state-mine = Riservato per te
card-state-gone = Occupato
card-state-chosen = Scelto
card-each = { $price } ciascuno
card-fees = commissioni incluse
card-wheelchair = spazio per sedia a rotelle
card-companion = posto accompagnatore, accanto a uno spazio per sedia a rotelle
card-restricted = Visuale limitata
card-clear = Visuale libera
card-away = a circa { $metres } m: { $focus }

## What is offered

offer-seats = Fila { $row }, posti { $numbers }
offer-others = Altri
offer-others-label = Proponi altri posti invece di { $seats }
offer-standing = Vanno bene anche posti in piedi
offer-no-others = Non ce ne sono altri come questi. Questi restano tuoi.
offer-no-others-lost = Non ce ne sono altri come questi, e intanto qualcuno è stato più veloce.
offer-hold = Riserva invece { $seats }, { $price }
