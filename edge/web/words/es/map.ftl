# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = Cargando el plano…
map-label = Plano de asientos de { $venue }. Las flechas mueven, Intro elige, más y menos amplían y reducen, Escape vuelve. La lista tiene el mismo contenido.
map-zoom = Zoom
map-zoom-in = Ampliar
map-zoom-out = Reducir
map-whole = Mostrar todo el recinto
map-filter = Precios y tipos de plazas
map-accessible = Accesible
map-from-price = desde { $price }
map-sold-out = agotado
map-seats-left = { $count ->
    [one] queda { $count } asiento
   *[other] quedan { $count } asientos
}
map-places-left = { $count ->
    [one] queda { $count } plaza
   *[other] quedan { $count } plazas
}
map-none-left = No queda ninguno
map-hot = { $place } se vende rápido ahora mismo.

## A seat's card

card-label = Asiento
card-add = Añadir este asiento
card-remove = Quitar este asiento
card-state-free = Libre
card-state-mine = Reservado para usted
card-state-gone = Ocupado
card-state-chosen = Elegido
card-each = { $price } cada uno
card-fees = todos los gastos incluidos
card-wheelchair = espacio para silla de ruedas
card-companion = asiento de acompañante, junto a un espacio para silla de ruedas
card-restricted = Vista limitada
card-clear = Vista despejada
card-away = a unos { $metres } m: { $focus }

## What is offered

offer-seats = Fila { $row }, asientos { $numbers }
offer-others = Otros
offer-others-label = Ofrecer otros asientos en lugar de { $seats }
offer-standing = También sirven plazas de pie
offer-no-others = No hay otros como estos. Estos siguen siendo suyos.
offer-no-others-lost = No hay otros como estos, y entretanto alguien fue más rápido con estos.
offer-hold = Reservar { $seats } en su lugar, { $price }
