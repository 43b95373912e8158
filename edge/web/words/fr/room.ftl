# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = dans un instant
soon-seconds = { $count ->
    [one] dans { $count } seconde
   *[other] dans { $count } secondes
}
soon-minutes = { $count ->
    [one] dans { $count } minute environ
   *[other] dans { $count } minutes environ
}
estimate-under-seconds = { $count ->
    [one] moins de { $count } seconde
   *[other] moins de { $count } secondes
}
estimate-under-minutes = { $count ->
    [one] moins de { $count } minute
   *[other] moins de { $count } minutes
}
estimate-under-hours = { $count ->
    [one] moins de { $count } heure
   *[other] moins de { $count } heures
}
estimate-about-seconds = { $count ->
    [one] environ { $from }–{ $count } seconde
   *[other] environ { $from }–{ $count } secondes
}
estimate-about-minutes = { $count ->
    [one] environ { $from }–{ $count } minute
   *[other] environ { $from }–{ $count } minutes
}
estimate-about-hours = { $count ->
    [one] environ { $from }–{ $count } heure
   *[other] environ { $from }–{ $count } heures
}
estimate-over-seconds = { $count ->
    [one] plus de { $count } seconde
   *[other] plus de { $count } secondes
}
estimate-over-minutes = { $count ->
    [one] plus de { $count } minute
   *[other] plus de { $count } minutes
}
estimate-over-hours = { $count ->
    [one] plus de { $count } heure
   *[other] plus de { $count } heures
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, rarement plus de { $count } seconde
   *[other] { $about }, rarement plus de { $count } secondes
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, rarement plus de { $count } minute
   *[other] { $about }, rarement plus de { $count } minutes
}
estimate-rarely-hours = { $count ->
    [one] { $about }, rarement plus de { $count } heure
   *[other] { $about }, rarement plus de { $count } heures
}

## News of the sale, for those who wait

news-paused = L'organisateur a mis la vente en pause. Vous gardez votre place.
news-none-free = Rien n'est libre en ce moment. Des places d'autres paniers peuvent revenir, et vous gardez votre place jusqu'à ce que tout soit vendu.
news-few-left = { $count ->
    [one] Il en reste peu : { $count } place. Elle peut partir avant que vous n'entriez.
   *[other] Il en reste peu : { $count } places. Elles peuvent partir avant que vous n'entriez.
}

## Being called, and the turn to pay

call-me = M'appeler quand c'est mon tour
call-sound = Nous vous appelons par un son
call-sound-and-note = Nous vous appelons par un son et une notification
turn-busy = Beaucoup d'acheteurs paient en ce moment.
turn-away = Le service de paiement ne répond pas pour le moment.
turn-opens = { $why } Vos places sont gardées. Le paiement ouvre dans { $clock }.
turn-kept = { $why } Vos places sont gardées.
turn-goes-on = Cette page continue d'elle-même : veuillez la laisser ouverte.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = Cette connexion n'a pas été commencée dans cette fenêtre, ou elle était déjà terminée. Pour votre sécurité, elle ne compte pas. Veuillez vous connecter ici.
problem-sign-in-declined = La connexion a été annulée. Vous pouvez regarder sans elle ; pour les billets, nous devons savoir qui vous êtes.
problem-sign-in-failed = Le service de connexion n'a pas pu terminer. Rien n'est perdu ; veuillez réessayer.
problem-sign-in-refused = Cette connexion a pris trop de temps, ou elle a déjà servi. Veuillez vous reconnecter.
problem-sign-in-unavailable = La connexion n'est pas possible pour le moment. Rien n'est perdu ; veuillez réessayer dans un instant.
problem-nothing-kept = Votre navigateur ne garde rien pour ce site : à votre retour de la connexion, nous ne vous reconnaîtrions pas. Veuillez autoriser les cookies et les données de ce site, ou l'ouvrir dans une autre fenêtre ou un autre navigateur.
problem-forbidden = Cela appartient à quelqu'un d'autre.
problem-not-eligible = Cette vente n'est pas ouverte à votre compte.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Votre compte est trop récent pour cette vente.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = Vous ne pouvez pas encore entrer.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Trop de demandes inhabituelles sont venues de ce compte ; il doit se reposer un moment.
problem-malformed-input-email = Aucun e-mail ne peut être envoyé à cette adresse. Veuillez la vérifier.
problem-malformed-input-postal_address = L'organisateur vient de modifier ce qu'il demande. Veuillez vérifier votre nom et votre adresse.
problem-malformed-input-postal_address-part = Cette indication manque, est trop longue ou contient un caractère qui ne peut pas être imprimé.
problem-malformed-input-terms = Veuillez d'abord accepter les conditions du vendeur.
problem-seats-taken = Quelqu'un a été plus rapide : une de ces places vient d'être prise.
problem-single-seat = Une place resterait isolée. Veuillez vous décaler d'une place.
problem-no-seats-found = Aucune place ne correspond à ce souhait. Essayez moins de places, un autre prix ou un autre secteur.
problem-possible-together = Places libres côte à côte : { $what }.
problem-possible-whole = Libre : une table ou une loge pour { $what }.
problem-possible-section = Il y a des places dans le secteur { $what }.
problem-possible-area = Il y a des places non numérotées : { $what }.
problem-wrong-state = Cela n'est plus possible.
problem-wrong-state-not-sold = Cette commande n'a pas été payée : il n'y a donc pas de facture.
problem-wrong-state-no-seller = L'organisateur n'établit pas de factures pour cet événement.
problem-wrong-state-not-yet = La facture est établie quelques minutes après la fin du délai de paiement. Veuillez réessayer à ce moment-là.
problem-wrong-state-no-mail = Aucun e-mail n'est envoyé ici : les billets ne peuvent donc pas être retrouvés par e-mail. Veuillez vous connecter comme lors de l'achat, ou contacter la billetterie.
problem-wrong-state-being-made = Vos billets sont en préparation. Veuillez réessayer dans un instant.
problem-wrong-state-event-cancelled = L'organisateur a annulé cet événement. Tout ce qui a été payé est remboursé automatiquement à l'acheteur.
problem-wrong-state-void = Les billets non valables ne peuvent être ni annulés ni transmis. Veuillez contacter l'organisateur.
problem-wrong-state-never = L'organisateur ne propose pas cela pour ces billets.
problem-wrong-state-too-late = Le délai est écoulé.
problem-wrong-state-withdrawn = Cette offre a été retirée. La personne qui transmet le billet peut envoyer un nouveau lien.
problem-wrong-state-own = C'est votre propre billet. Envoyez le lien à la personne qui doit le recevoir.
problem-wrong-state-accepted = Ce billet a déjà été accepté, et il n'est pas à vous actuellement.
problem-wrong-state-too-often = Ce billet a été transmis autant de fois qu'il est permis. Il reste à vous.
problem-wrong-state-passed-on = Un billet a été transmis, et sa place n'est plus à vous.
problem-version-conflict = Quelque chose a changé entre-temps. Veuillez réessayer.
problem-hold-expired = Le délai de ces places est écoulé, et elles ont été rendues.
problem-session-expired = Votre temps de choix est écoulé, et vos places ont été rendues.
problem-sale-over = La vente est terminée.
problem-payment-waits = Beaucoup d'acheteurs paient en ce moment. Vos places sont gardées ; veuillez réessayer dans un instant.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Vos places sont gardées ; veuillez réessayer dans un instant.
problem-payment-refused = Cette commande ne peut plus être payée.
problem-payment-refused-already-refunded = Ce paiement a déjà été remboursé.
problem-payment-refused-disputed = Votre banque reprend ce paiement : il ne peut donc pas être remboursé ici.
problem-payment-refused-failed = Le remboursement a été envoyé, et la banque l'a renvoyé. Veuillez contacter la billetterie.
problem-payment-refused-invalid = Le service de paiement refuse cette demande. Veuillez contacter la billetterie.
problem-payment-refused-too-late = Le délai de paiement de cette commande est écoulé.
problem-payment-refused-too-old = Ce paiement est trop ancien pour être remboursé sur la carte. Veuillez contacter la billetterie.
problem-payment-refused-unknown-payment = Le service de paiement ne connaît pas ce paiement. Veuillez contacter la billetterie.
problem-idempotency-mismatch = Cette demande a déjà été faite sous une autre forme. Veuillez recharger la page.
problem-limit-exceeded = C'est plus qu'un acheteur ne peut avoir.
problem-limit-exceeded-address = C'est plus de places qu'une même adresse postale ne peut en avoir.
problem-limit-is = { $text } La limite est de { $limit }.
problem-until = { $text } Vos places restent à vous jusqu'à { $time } au plus tard.
problem-dependency-unavailable-settling = On ne sait pas encore si ces places ont été payées.
problem-too-early = C'était un peu tôt. La page réessaie d'elle-même.
problem-link-ended = Ce lien n'ouvre rien. Un lien est valable 24 heures : veuillez en demander un nouveau.
problem-waiting-token-ended = Il a fallu vous donner une nouvelle place. Le tirage reste le même.

## Small parts

part-copied = Copié
part-copy-yourself = Veuillez le copier vous-même
part-close-notice = Fermer cet avis

## A page that needs a sign-in

sign-in-again = Se reconnecter
sign-in-failed = Vous n'êtes pas connecté
sign-in-heading = Veuillez vous connecter
sign-in-heading-again = Veuillez vous reconnecter
sign-in-why-wait = Chaque personne a une seule place dans la salle d'attente : nous devons donc savoir qui vous êtes.
sign-in-why-theirs = Les commandes et les billets ne sont montrés qu'à leurs propriétaires : nous devons donc savoir qui vous êtes.
sign-in-why-accept = Quelqu'un vous transmet un billet. Connectez-vous pour le voir et l'accepter : il sera ensuite dans « Mes commandes ». Rien n'est débité.
sign-in-why-ended = Votre connexion a expiré. Cela ne vous coûte rien : votre place dans la salle d'attente et les sièges que vous avez réservés restent à vous jusqu'à la fin de leur propre délai. Veuillez vous reconnecter avec le même compte.
sign-in-lost-tickets = Vous avez perdu vos billets ? { $link }.
sign-in-lost-tickets-link = Retrouvez-les par e-mail

## Whom a sale is open to

account-members-until = Jusqu'au { $date }, seuls les membres peuvent acheter des billets ({ $names }). Ensuite, la vente s'ouvre à tous.
account-members = Seuls les membres peuvent acheter des billets ({ $names }).
account-phone = Votre compte doit avoir un numéro de téléphone vérifié.
account-days = { $count ->
    [one] Votre compte doit avoir au moins { $count } jour.
   *[other] Votre compte doit avoir au moins { $count } jours.
}
account-address-limit = { $count ->
    [one] Une adresse postale peut avoir au plus { $count } place, toutes commandes comprises.
   *[other] Une adresse postale peut avoir au plus { $count } places, toutes commandes comprises.
}
account-card-limit = { $count ->
    [one] Une carte de paiement peut payer au plus { $count } place, toutes commandes comprises.
   *[other] Une carte de paiement peut payer au plus { $count } places, toutes commandes comprises.
}
account-no-phone = Votre compte n'a pas de numéro de téléphone vérifié : vous ne pouvez pas acheter de billets pour cet événement. Veuillez vérifier votre numéro là où vous vous connectez, puis vous déconnecter ici et vous reconnecter.
account-too-young = { $count ->
    [one] Les comptes doivent avoir au moins { $count } jour pour cet événement. Le vôtre date du { $since } : vous ne pouvez pas acheter de billets.
   *[other] Les comptes doivent avoir au moins { $count } jours pour cet événement. Le vôtre date du { $since } : vous ne pouvez pas acheter de billets.
}
account-age-unknown = { $count ->
    [one] Les comptes doivent avoir au moins { $count } jour pour cet événement, et votre connexion ne dit pas l'âge du vôtre. Vous ne pouvez donc pas acheter de billets pour cet événement.
   *[other] Les comptes doivent avoir au moins { $count } jours pour cet événement, et votre connexion ne dit pas l'âge du vôtre. Vous ne pouvez donc pas acheter de billets pour cet événement.
}
account-no-member-yet = Votre compte n'est pas membre. Revenez { $date } : venir plus tôt n'apporte rien.
account-no-member = Votre compte n'est pas membre : vous ne pouvez pas acheter de billets pour cet événement.

## The waiting room

wait-title = Salle d'attente : { $event }
wait-heading-joining = Nous vous donnons une place…
wait-heading-elsewhere = Une autre fenêtre garde votre place
wait-heading-solving = Une courte vérification de votre navigateur…
wait-heading-waiting = Vous êtes dans la salle d'attente
wait-heading-prequeue = Vous êtes en avance, et votre place est sûre
wait-heading-asking = Nous demandons si vous pouvez entrer…
wait-heading-paused = La vente est en pause
wait-heading-full = Vous y êtes presque
wait-heading-settling = Votre dernière commande est en cours de traitement
wait-heading-locked = Vous ne pouvez pas encore entrer
wait-heading-busy = Le service est très sollicité
wait-heading-offline = La connexion est perdue
wait-heading-strange = Quelque chose dans ce réseau répond à notre place
wait-heading-stripped = Quelque chose dans ce réseau retire une partie de ce que cette page envoie
wait-text-joining = Un instant.
wait-text-elsewhere = Continuez là-bas. Cette fenêtre prend le relais d'elle-même quand l'autre est fermée.
wait-text-solving = Votre appareil fait un petit travail, pour que personne ne puisse envoyer des milliers de robots.
wait-text-waiting = Les places sont tirées au sort équitablement, et plus vous attendez, plus votre chance est grande. Nous vous faisons entrer automatiquement.
wait-text-prequeue = Tous ceux qui sont ici au début de la vente ont la même chance : être le premier n'apporte rien.
wait-text-asking = Un instant.
wait-text-paused = L'organisateur a arrêté la file un instant. Vous gardez votre place, et elle reprend d'elle-même.
wait-text-full = Toutes les places à l'intérieur sont prises en ce moment. Elles se libèrent dans l'ordre du tirage : demander plus tôt n'aide personne.
wait-text-settling = Vous gardez votre place, et la page réessaie d'elle-même.
wait-text-locked = Vous gardez votre place, et la page réessaie d'elle-même.
wait-text-busy = Votre place est sûre. La page réessaie d'elle-même.
wait-text-offline = Votre place est sûre sur cet appareil. La page continue dès que la connexion revient.
wait-text-strange = Nous réessayons ; votre place est sûre. Si ce réseau demande une connexion, ouvrez sa page ; sinon un autre réseau aide, comme celui de votre téléphone.
wait-text-stripped = Sans cette partie, nous ne pouvons pas connaître votre place. Nous réessayons ; votre place est sûre. Le plus souvent, un autre réseau aide, comme celui de votre téléphone.
wait-says-estimate = { $heading } : { $estimate }
wait-lapsed = Votre place a expiré pendant que cette page dormait ; vous en avez une nouvelle et attendez à partir de maintenant.
wait-noticed = Des demandes inhabituelles sont venues de ce compte : votre navigateur fait une vérification plus longue.
wait-hint-open = Laissez cette page ouverte. Vous pouvez la recharger ou verrouiller l'écran quelques minutes : vous gardez votre place.
wait-hint-windows = Actualiser, ouvrir d'autres fenêtres ou avoir une ligne plus rapide n'aide personne.
wait-leave = Quitter la salle d'attente
wait-really-leave = Vraiment quitter ? Votre place est abandonnée
wait-starts-in = La vente commence dans
wait-fact-estimate = Votre attente à partir de maintenant
wait-fact-unknown = pas encore connue
wait-fact-starts = La vente commence
wait-fact-since = Vous attendez depuis
wait-fact-next = Prochain coup d'œil
wait-fact-now = maintenant
wait-turn = C'est votre tour
wait-you-are-in = Vous êtes entré, jusqu'à { $until }. Veuillez choisir vos places.
in-title = Vous êtes entré : { $event }
in-heading = Vous êtes entré
in-since = Vous êtes entré à { $from }. Votre temps de choix court et finit à { $until }.
in-until = Votre temps de choix court et finit à { $until }.
in-choose = Choisir des places
in-steps = Que faire
in-step-choose = Choisissez un secteur sur le plan, ou laissez-nous trouver les meilleures places : jusqu'à { $limit } à la fois.
in-step-hold = Réservez vos places. Ce qui est seulement choisi reste libre pour les autres.
in-step-pay = Passez au paiement avant la fin de votre temps. Temps pour payer ensuite : { $time }.
in-ends = À la fin de votre temps, vos places réservées reviennent aux autres.
wait-room-full = La salle d'attente est pleine
wait-room-full-text = Plus personne n'est accepté. Les acheteurs qui attendent déjà entrent encore. Nous regrettons que vous soyez arrivé trop tard cette fois.
wait-sale-over = La vente est terminée
wait-sold-out = Complet
wait-sold-out-text = Chaque place a trouvé quelqu'un. Nous regrettons que ce ne soit pas vous cette fois ; le tirage était équitable.
wait-closed-text = La vente est terminée. Merci d'avoir attendu.
wait-break-open = Veuillez utiliser une seule fenêtre et ne pas actualiser ; la page demande d'elle-même.
wait-lock-ends = Cela se termine dans
wait-lock-person = Une personne chez l'organisateur en a décidé ainsi. La raison : { $reason }
wait-appeal-text = Que doit savoir cette personne ? (facultatif)
wait-appeal-ask = Demander à une personne de vérifier
wait-appealed = Une personne a été priée de vérifier. Si elle vous laisse entrer, cette page continue aussitôt ; sinon, elle continue à la fin du délai. Vous n'avez rien d'autre à faire.
wait-used-up = Vous ne pouvez pas revenir
wait-used-up-text = Vous avez utilisé toutes vos sessions pour cet événement et attendriez en vain.
wait-not-eligible = Cette vente n'est pas ouverte à votre compte
wait-trying-again = Nous réessayons de nous-mêmes.
room-as-of = Places libres à { $time }.
ready-title = À préparer
ready-sign-in = Vous êtes connecté. Il n'y a rien d'autre à faire pour cela.
ready-pay = Une carte ou un portefeuille pour payer, et l'application par laquelle votre banque vous interroge.
ready-address = Votre adresse postale : elle est demandée au paiement.
ready-wishes = Ce que vous voulez payer, et deux autres choix.
ready-limit = Places par compte : jusqu'à { $limit }.
ready-times = Temps de choix : { $choose }. Temps pour payer ensuite : { $pay }.

## The end of a session

session-time-over = Votre temps de choix est écoulé, et vos places ont été rendues pour que d'autres puissent les avoir.
session-none = Vous n'avez pas de session ouverte ici. Si votre temps est écoulé, vos places ont été rendues.
session-ended = Cette session est terminée.
session-over = Votre session est terminée
session-ordered = Vous avez commandé
session-ordered-text = Votre commande pour cet événement est sûre. Vous n'avez pas de session ouverte pour lui maintenant.

## The sale

sale-title = Choisissez vos places : { $event }
sale-time = Temps restant
sale-time-left = encore { $time }
sale-one-minute = Encore une minute.
sale-to-venue = Retour à toute la salle
sale-show-list = Afficher en liste
sale-show-map = Afficher le plan
sale-seat-taken = { $seat } est pris.
sale-seat-mine = { $seat } est déjà réservé pour vous.
sale-seat-chosen = { $seat } choisi
sale-seat-unchosen = { $seat } n'est plus choisi
sale-limit = Un acheteur peut réserver { $limit } places au plus. Rendez-en une pour en choisir une autre.
sale-limit-held = { $count ->
    [one] Un acheteur peut réserver { $limit } places au plus, et { $count } est déjà réservée.
   *[other] Un acheteur peut réserver { $limit } places au plus, et { $count } sont déjà réservées.
}
sale-held = Réservé pour vous : { $seats }.
sale-given-back = Rendu.
sale-faster = { $count ->
    [one] Quelqu'un a été plus rapide : { $seats } est pris.
   *[other] Quelqu'un a été plus rapide : { $seats } sont pris.
}
sale-faster-others = Les autres restent choisies, et ne sont pas encore réservées.
sale-faster-choose = Veuillez en choisir une autre.
sale-being-taken = Quelqu'un d'autre prend { $seats } en ce moment. Sinon, la place sera libre dans quelques secondes.
sale-just-taken = Vient d'être pris par quelqu'un d'autre : { $seats }.
sale-outdated = Le plan n'est pas à jour en ce moment. Les places que vous avez réservées sont sûres.
sale-seats = { $count ->
    [one] { $count } place
   *[other] { $count } places
}

## Beside the map

panel-title = Vos places
panel-key = Sur le plan, les petits points gris sont pris ou masqués par vos prix, les rayures signifient qu'il en reste peu, et ✓ est à vous.
panel-to-map = Retour au plan
panel-to-seats = Vos places et les meilleures disponibles
panel-best = Meilleures places
panel-any-price = Tous les prix
panel-find = Trouver et réserver des places
panel-seats = Places
panel-price = Prix
panel-where = Où
panel-anywhere = Partout
panel-wheelchair = Avec un emplacement fauteuil roulant
panel-holding = Réservation…
panel-hold = { $count ->
    [one] Réserver { $count } place
   *[other] Réserver { $count } places
}
panel-chosen-title = { $count ->
    [one] Choisi : { $count } place
   *[other] Choisi : { $count } places
}
panel-chosen = { $count ->
    [one] { $count } place choisie
   *[other] { $count } places choisies
}
panel-held = { $count ->
    [one] { $count } place réservée
   *[other] { $count } places réservées
}
panel-not-held = Pas encore réservé.
panel-held-title = Réservé pour vous
panel-total = Total
panel-fees = Tous les frais sont dans le total.
panel-go-to-checkout = Passer au paiement
panel-checkout = Paiement
panel-nothing = Rien n'est encore réservé
panel-empty = Rien n'est encore réservé. Choisissez un secteur sur le plan, ou laissez-nous trouver les meilleures places. Vous pouvez en réserver jusqu'à { $limit }.
panel-not-this = Ne pas prendre { $seat }
panel-give-back = Rendre
panel-give-these-back = Rendre celles-ci

## Seats as a list

list-row = Rang { $row }
list-free = { $count ->
    [one] { $count } place libre
   *[other] { $count } places libres
}
list-none-free = aucune libre
list-state-mine = réservé pour vous
list-state-gone = pris
list-kind-accessible = accessible
list-kind-companion = accompagnateur
list-table-for = table pour { $count }
list-box-for = loge pour { $count }

## An area without numbered seats

area-hold = Réserver des places
area-free-seating = Places non numérotées : debout ou assis, où vous voulez.
area-free-seating-price = Places non numérotées : debout ou assis, où vous voulez. { $price } chacune.
area-how-many = Combien
area-left = { $count ->
    [one] { $count } place restante
   *[other] { $count } places restantes
}
area-none-left = Plus aucune en ce moment
