# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Paiement : { $event }
checkout-heading = Paiement
checkout-fee-order = Frais par commande
checkout-fee-ticket = { $count } × frais par billet
checkout-pay = Payer { $sum }
checkout-moment = Un instant…
checkout-email = E-mail pour vos billets
checkout-provider = Vous payez sur la page du service de paiement. Nous ne voyons jamais votre carte.
checkout-accept = J'accepte les { $terms }
checkout-terms = conditions du vendeur
checkout-terms-new = Le vendeur a de nouvelles conditions. Veuillez les lire et les accepter.
checkout-change-seats = ← Changer de places

## The buyer's address

postal-heading = Votre nom et votre adresse
postal-name = Nom
postal-street = Rue et numéro
postal-postcode = Code postal (s'il y en a un)
postal-city = Ville
postal-country = Pays

## What has become of an order

order-title-pending = En attente de votre paiement
order-text-pending = Dès que le service de paiement nous le dit, vos billets apparaissent ici.
order-title-paid = Paiement reçu. Vos billets sont en préparation
order-text-paid = Cela prend quelques secondes.
order-title-ticketed = Vos billets
order-title-failed = Vous avez rendu ces places
order-text-failed = Rien n'a été débité.
order-title-expired = Le délai de paiement est écoulé
order-text-expired = Rien n'a été débité, et vos places ont été rendues.
order-title-refund-due = Votre argent vous est rendu
order-text-refund-due = Le paiement est arrivé trop tard : vos places n'ont pas pu être gardées pour vous.
order-title-refunded = Votre argent vous a été renvoyé
order-title-cancelled = La commande a été annulée
order-text-cancelled = Les billets ne sont plus valables.
order-title-disputed = Vos billets ne sont pas valables pour l'instant
order-text-disputed = Votre banque a réclamé ce paiement : les billets ne sont pas valables pour l'instant. Si c'est une erreur, veuillez le dire à votre banque : dès qu'elle retire sa demande, ils sont de nouveau valables.
order-title-charged-back = Cette commande est terminée
order-text-charged-back = Votre banque a repris le paiement, et les billets ne sont plus valables. Rien d'autre n'est débité.
order-title-declined = Votre carte a été refusée
order-text-declined = Votre banque a refusé la carte. Rien n'a été débité. Vos places sont à vous jusqu'à { $time }.
order-title-card-limit = Cette carte a atteint sa limite
order-text-card-limit = Cette carte a déjà servi à acheter autant de places qu'une seule carte le permet. Rien n'a été débité. Vos places sont à vous jusqu'à { $time }.
order-title-all-passed-on = Vous avez transmis vos billets
order-text-all-passed-on = D'autres les ont maintenant, chacun avec son propre code.
order-title-event-cancelled = L'événement est annulé
order-text-event-cancelled = L'organisateur a annulé cet événement. Vos billets ne sont plus valables, et tout ce que vous avez payé vous est rendu.
order-title-settling = Nous vérifions si vous avez payé
order-text-settling = Le délai de paiement est écoulé, et le service de paiement n'a pas encore dit si vous avez payé. Si oui, vos billets apparaissent ici. Sinon, les places sont rendues, à { $time } au plus tard.
order-text-settling-late = Le délai de paiement est écoulé, et le service de paiement n'a pas encore dit si vous avez payé. Si oui, vous recevez ici vos billets, ou votre argent si d'autres ont maintenant les places.
order-title-void = Vos billets sont annulés
order-text-void = L'organisateur les a annulés. Ils ne sont plus valables. Veuillez contacter l'organisateur.
order-text-void-these = Ces billets sont annulés : { $labels }. Ils ne sont plus valables. Veuillez contacter l'organisateur.
order-word-pending = À payer
order-word-paid = Payée
order-word-ticketed = Billets
order-word-failed = Places rendues
order-word-expired = Non payée
order-word-refund-due = Remboursement
order-word-refunded = Remboursée
order-word-cancelled = Annulée
order-word-disputed = Suspendue
order-word-charged-back = Terminée
order-word-event-cancelled = Événement annulé
order-word-none-left = Plus de billet
order-refunding = Le remboursement est en cours. Les banques mettent quelques jours à le traiter. Si l'argent n'est pas arrivé d'ici là, veuillez contacter la billetterie.
order-refund-owed = { $sum } vont vous être remboursés. Les banques mettent quelques jours à traiter un remboursement. Si l'argent n'est pas arrivé d'ici là, veuillez contacter la billetterie.
order-refund-sent = { $sum } sont en route vers vous. Les banques mettent quelques jours à traiter un remboursement. Si l'argent n'est pas arrivé d'ici là, veuillez contacter la billetterie.
order-refund-arrived = { $sum } vous ont été remboursés. Votre banque peut mettre quelques jours à l'afficher.
order-refund-attention = Votre remboursement de { $sum } n'est pas arrivé à votre banque. L'organisateur est prévenu et s'en occupe ; vous n'avez rien à faire maintenant.
order-refund-handled = Votre remboursement de { $sum } n'était d'abord pas arrivé à votre banque, et l'organisateur s'en est occupé. S'il n'est pas arrivé, veuillez contacter la billetterie.
order-title-refund-attention = L'organisateur s'occupe de votre remboursement
order-title-refund-handled = Votre remboursement a été traité
order-paid-twice = Vous avez payé cette commande une deuxième fois. { $text }

## An order's page

order-heading = Commande
order-payment = Paiement
order-copy = Copier
order-vat = dont { $rate } % de TVA, { $sum }
order-postal = Nom et adresse postale : { $address }
order-mails-to = Les e-mails sont envoyés à { $email }.
order-places = { $count ->
    [one] { $event }, { $count } place
   *[other] { $event }, { $count } places
}
order-calendar = Ajouter au calendrier
order-invoice = Facture (PDF)
order-to-payment = Aller à la page de paiement
order-unpaid = Pas encore payé. Si la carte a été refusée ou si vous êtes revenu sans payer : rien n'a été débité, et vous pouvez réessayer.
order-held-for = Vos places sont encore gardées pendant { $clock }.
order-change-address = Changer l'adresse
order-tickets-go-to = Les billets seront envoyés à { $email }
order-address-changed = L'adresse a été changée.
order-give-back = Rendre les places
order-give-back-really = Vraiment rendre les places ?
order-too-late = Le délai pour payer ces places est écoulé. Si vous avez tout de même payé, cette page l'affiche.
order-paid-meanwhile = Vous venez de payer ces places : elles sont à vous.
order-no-news = Votre connexion a expiré : cette page n'affiche plus ce que devient votre commande. { $again }
order-sent-to = Envoyés à { $email }. Cela peut prendre quelques minutes.
order-send-there = Y envoyer les billets
order-send-again = Changer l'adresse ou les renvoyer
order-sent-now = Les billets sont envoyés à { $email }.
order-sent-often = Vous avez fait envoyer des billets plusieurs fois aujourd'hui. Veuillez réessayer demain.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Rang { $row } · Place { $number }
place-table = { $section } · { $row } · Table { $number }
place-box = { $section } · { $row } · Loge { $number }

## All orders

orders-count = { $count ->
    [one] { $count } billet · { $sum }
   *[other] { $count } billets · { $sum }
}
orders-goes-back = { $text } · remboursement de { $sum } en cours
orders-sent-back = { $text } · { $sum } remboursés
orders-none = Vous n'avez rien commandé avec cette connexion. Une commande apparaît ici quelques instants après avoir été passée.
orders-older = Commandes plus anciennes
orders-older-failed = Les commandes plus anciennes n'ont pas pu être chargées. { $why }
orders-passed-on = Billets transmis par d'autres
orders-bought = Billets que vous avez achetés
orders-ticket = Billet
orders-word-passed-on = Transmis
orders-word-void = Annulé

## Tickets

ticket-show = { $count ->
    [one] Montrez ce code à l'entrée, à l'écran ou sur papier.
   *[other] Montrez ces codes à l'entrée, à l'écran ou sur papier.
}
ticket-all-pdf = Billets (PDF)
ticket-number = Billet { $number } sur { $total }
ticket-loading = Chargement du billet…
ticket-save = Enregistrer l'image
ticket-picture = { $name }, avec son code QR
ticket-offered = Proposé jusqu'au { $date }. Il est à vous tant que personne ne l'a accepté.
ticket-not-loaded = { $name } n'a pas pu être chargé.
ticket-load-again = Charger à nouveau
ticket-gone = Transmis : { $label }
ticket-gone-text = Quelqu'un d'autre a ce billet maintenant. Son code ici n'est plus valable.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Transmettre un billet à quelqu'un d'autre
transfer-ended = Les billets pouvaient être transmis jusqu'au { $date }.
transfer-how = C'est possible jusqu'au { $date }. Vous recevez un lien, valable 48 heures au plus. La personne qui l'ouvre et se connecte reçoit le billet, avec un nouveau code, et le vôtre n'est plus valable. Jusque-là, le billet reste à vous.
transfer-money = Vous ne pouvez pas annuler un billet transmis. Si l'événement est annulé, c'est l'acheteur des billets qui est remboursé.
transfer-pass = Transmettre
transfer-show-link = Afficher le lien
transfer-withdraw = Retirer
transfer-withdraw-of = Retirer l'offre : { $label }
transfer-offered-until = Proposé jusqu'au { $date }
transfer-here = Voici le lien.
transfer-withdrawn = L'offre est retirée.
transfer-link = Lien de l'offre
transfer-copy = Copier le lien
transfer-good-until = Valable jusqu'au { $date }, pour une personne. Ne l'envoyez à personne d'autre.
transfer-of = { $what } : { $label }

## Taking a ticket over

accept-title = Un billet pour vous
accept-ticket = Un billet
accept-take = Accepter ce billet
accept-taken = Le billet est à vous.
accept-text = Quelqu'un vous transmet ce billet. Dès que vous l'acceptez, il a un nouveau code, qui n'appartient qu'à vous. Il compte parmi les places que vous pouvez avoir à cet événement.
accept-until = L'offre est valable jusqu'au { $date }.
accept-none = Ce lien ne mène à aucun billet
accept-own = Ce lien est celui de votre propre billet
accept-not-whole = Ce lien n'est pas complet. Veuillez le redemander à la personne qui vous l'a envoyé.
accept-too-late = Le délai de cette offre est écoulé. Veuillez vous adresser à la personne qui vous a envoyé le lien.

## Tickets that were passed on

held-title = { $count ->
    [one] Votre billet
   *[other] Vos billets
}
held-cancelled = L'organisateur a annulé cet événement, et votre billet n'est plus valable. C'est son acheteur qui est remboursé.
held-not-now = Le billet n'est pas valable pour l'instant. Veuillez vous adresser à la personne qui vous l'a transmis.
held-void = Annulé : { $labels }. Veuillez contacter l'organisateur.
held-passed-on = Vous avez transmis votre billet.

## Giving back

cancel-given-back = Rendu : { $label }
cancel-fee = , frais { $sum }
cancel-ended = Cette commande pouvait être annulée jusqu'au { $date }.
cancel-how = Vous pouvez annuler jusqu'au { $date }. Les billets perdent aussitôt leur validité, et les places sont remises en vente.
cancel-heading-place = Annuler une place de cette commande
cancel-heading-either = Annuler cette commande ou une de ses places
cancel-heading-order = Annuler cette commande
cancel-fee-kept = des frais de { $sum } sont retenus
cancel-all-left = { $count ->
    [one] Tout ce qui reste, { $count } billet
   *[other] Tout ce qui reste, { $count } billets
}
cancel-button = Annuler, { $sum } remboursés
cancel-really = Vraiment annuler ? { $sum } vous sont remboursés
cancel-really-fee = Vraiment annuler ? { $sum } vous sont remboursés ; des frais de { $fee } sont retenus
cancel-done = { $what } : annulé.
cancel-of = { $button } : { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, les { $count } billets
}

## Tickets that are lost

find-title = Retrouver mes billets
find-how = Saisissez l'adresse e-mail donnée lors de la commande. Nous y envoyons un lien vers vos billets.
find-email = E-mail de la commande
find-send = M'envoyer le lien
find-no-sign-in = Aucune connexion n'est nécessaire. Si vous pouvez vous connecter comme avant, vous trouvez tout sous { $orders }.
find-sent = Consultez votre boîte de réception
find-sent-to = Si quelque chose a été acheté avec { $email }, un e-mail est en route.
find-link = { $hours ->
    [one] Son lien montre les commandes et les billets, et est valable { $hours } heure. Pas d'e-mail après quelques minutes ? Regardez dans les courriers indésirables, et essayez vos autres adresses.
   *[other] Son lien montre les commandes et les billets, et est valable { $hours } heures. Pas d'e-mail après quelques minutes ? Regardez dans les courriers indésirables, et essayez vos autres adresses.
}
find-most = { $hours ->
    [one] Une adresse reçoit { $mails } e-mails par heure au plus.
   *[other] Une adresse reçoit { $mails } e-mails en { $hours } heures au plus.
}
find-other = Essayer une autre adresse

## What a mailed link opens

found-title = Vos commandes et billets
found-bought = Achetés avec votre adresse e-mail. Ce lien est valable jusqu'au { $date }.
found-nothing = Il n'y a plus rien à afficher.
found-older = Il y a des commandes plus anciennes. Veuillez vous connecter comme lors de l'achat.
found-show = { $count ->
    [one] Afficher { $count } billet
   *[other] Afficher { $count } billets
}
found-passed = Transmis à d'autres : { $places }.
found-returned = Rendu : { $places }.
found-ordered = Commandé le { $date }, commande { $order }
found-ended = Ce lien n'est pas valable
found-ended-text = Un lien de nos e-mails est valable 24 heures. Le vôtre est plus ancien, ou n'a pas été copié en entier.
found-ask-new = Demander un nouveau lien
