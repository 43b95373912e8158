# Die Wörter des Sitzplans, der Karte eines Platzes und dessen, was auf dem Plan angeboten wird.

map-loading = Der Plan wird geladen…
map-label = Sitzplan von { $venue }. Pfeiltasten bewegen, die Eingabetaste wählt, Plus und Minus zoomen, Escape führt zurück. Die Liste enthält dasselbe.
map-zoom = Zoom
map-zoom-in = Vergrößern
map-zoom-out = Verkleinern
map-whole = Ganzen Saal zeigen
map-filter = Preise und Arten von Plätzen
map-accessible = Barrierefrei
map-from-price = ab { $price }
map-sold-out = ausverkauft
map-seats-left = { $count ->
    [one] Noch { $count } Sitzplatz
   *[other] Noch { $count } Sitzplätze
}
map-places-left = { $count ->
    [one] Noch { $count } Platz
   *[other] Noch { $count } Plätze
}
map-none-left = Keine mehr frei
map-hot = { $place } ist gerade sehr gefragt.

## A seat's card

card-label = Platz
card-add = Diesen Platz wählen
card-remove = Diesen Platz abwählen
card-state-free = Frei
card-state-mine = Für Sie gehalten
card-state-gone = Vergeben
card-state-chosen = Gewählt
card-each = je { $price }
card-fees = inklusive aller Gebühren
card-wheelchair = Platz für einen Rollstuhl
card-companion = Begleitplatz neben einem Rollstuhlplatz
card-restricted = Eingeschränkte Sicht
card-clear = Freie Sicht
card-away = etwa { $metres } m Entfernung: { $focus }

## What is offered

offer-seats = Reihe { $row }, Plätze { $numbers }
offer-others = Andere
offer-others-label = Andere Plätze statt { $seats } anbieten
offer-standing = Stehplätze sind auch in Ordnung
offer-no-others = Es gibt keine anderen dieser Art. Diese bleiben für Sie gehalten.
offer-no-others-lost = Es gibt keine anderen dieser Art, und jemand war inzwischen bei diesen schneller.
offer-hold = Stattdessen { $seats } halten, { $price }
