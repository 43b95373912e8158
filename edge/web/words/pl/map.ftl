# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = Ładowanie planu…
map-label = Plan miejsc: { $venue }. Strzałki przesuwają, Enter wybiera, plus i minus zmieniają powiększenie, Escape wraca. Lista ma tę samą treść.
map-zoom = Powiększenie
map-zoom-in = Powiększ
map-zoom-out = Pomniejsz
map-whole = Pokaż całą salę
map-filter = Ceny i rodzaje miejsc
map-accessible = Dostępne
map-from-price = od { $price }
map-sold-out = wyprzedane
map-seats-left = { $count ->
    [one] zostało { $count } miejsce
    [few] zostały { $count } miejsca
    [many] zostało { $count } miejsc
   *[other] zostało { $count } miejsca
}
map-places-left = { $count ->
    [one] zostało { $count } miejsce
    [few] zostały { $count } miejsca
    [many] zostało { $count } miejsc
   *[other] zostało { $count } miejsca
}
map-none-left = Nie zostało żadne
map-hot = { $place }: sprzedaje się teraz szybko.

## A seat's card

card-label = Miejsce
card-add = Dodaj to miejsce
card-remove = Usuń to miejsce
card-state-free = Wolne
card-state-mine = Zarezerwowane dla ciebie
card-state-gone = Zajęte
card-state-chosen = Wybrane
card-each = po { $price }
card-fees = ze wszystkimi opłatami
card-wheelchair = miejsce na wózek inwalidzki
card-companion = miejsce opiekuna obok miejsca na wózek
card-restricted = Ograniczony widok
card-clear = Dobry widok
card-away = około { $metres } m: { $focus }

## What is offered

offer-seats = Rząd { $row }, miejsca { $numbers }
offer-others = Inne
offer-others-label = Zaproponuj inne miejsca zamiast { $seats }
offer-standing = Mogą być też miejsca stojące
offer-no-others = Nie ma innych takich jak te. Te pozostają twoje.
offer-no-others-lost = Nie ma innych takich jak te, a ktoś był tymczasem szybszy.
offer-hold = Zamiast nich zarezerwuj { $seats }, { $price }
