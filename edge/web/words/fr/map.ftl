# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = Chargement du plan…
map-label = Plan de salle de { $venue }. Les flèches déplacent, Entrée choisit, plus et moins agrandissent et réduisent, Échap revient. La liste a le même contenu.
map-zoom = Zoom
map-zoom-in = Agrandir
map-zoom-out = Réduire
map-whole = Voir toute la salle
map-filter = Prix et types de places
map-accessible = Accessible
map-from-price = dès { $price }
map-sold-out = complet
map-seats-left = { $count ->
    [one] { $count } siège restant
   *[other] { $count } sièges restants
}
map-places-left = { $count ->
    [one] { $count } place restante
   *[other] { $count } places restantes
}
map-none-left = Plus aucune
map-hot = { $place } se vend vite en ce moment.

## A seat's card

card-label = Siège
card-add = Ajouter ce siège
card-remove = Retirer ce siège
card-state-free = Libre
card-state-mine = Réservé pour vous
card-state-gone = Pris
card-state-chosen = Choisi
card-each = { $price } chacun
card-fees = tous frais compris
card-wheelchair = emplacement pour fauteuil roulant
card-companion = siège d'accompagnateur, à côté d'un emplacement pour fauteuil roulant
card-restricted = Vue limitée
card-clear = Vue dégagée
card-away = à environ { $metres } m : { $focus }

## What is offered

offer-seats = Rang { $row }, places { $numbers }
offer-others = D'autres
offer-others-label = Proposer d'autres sièges à la place de { $seats }
offer-standing = Des places debout conviennent aussi
offer-no-others = Il n'y en a pas d'autres comme celles-ci. Celles-ci restent à vous.
offer-no-others-lost = Il n'y en a pas d'autres comme celles-ci, et quelqu'un a été plus rapide entre-temps.
offer-hold = Réserver plutôt { $seats }, { $price }
