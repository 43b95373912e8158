# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Aller au contenu
page-offline = Vous êtes hors ligne. Rien n'est perdu : cette page continue dès que la connexion revient.
page-language = Langue
page-loading = Chargement…
page-loading-title = Chargement
page-my-orders = Mes commandes
page-find-tickets = Retrouver mes billets
page-sign-in = Se connecter
page-sign-out = Se déconnecter
page-all-events = Tous les événements
page-to-event = Retour à l'événement
page-to-order = Voir votre commande
page-try-again = Réessayer
page-failed = Quelque chose bloque
page-not-found = Introuvable

## What goes wrong on any page, by the problem's code

problem-offline = Le service est injoignable pour le moment. Veuillez vérifier votre connexion et réessayer.
problem-strange-network = Quelque chose dans ce réseau répond à notre place. Rien n'est perdu. Si ce réseau demande une connexion, ouvrez sa page ; sinon essayez un autre réseau, comme celui de votre téléphone.
problem-stripped-request = Quelque chose dans ce réseau retire une partie de ce que cette page envoie. Rien n'est perdu. Le plus souvent, un autre réseau aide, comme celui de votre téléphone.
problem-malformed-input = Une partie de cette demande n'a pas été comprise. Veuillez vérifier votre saisie.
problem-not-found = Cela n'existe pas, ou n'existe plus.
problem-too-many-requests = C'était un peu rapide. Veuillez attendre un instant et réessayer.
problem-dependency-unavailable = Le service est très sollicité. Rien n'est perdu ; veuillez réessayer dans un instant.
problem-unauthenticated = Veuillez vous connecter.
problem-sign-in-ended = Votre connexion a expiré. Veuillez vous reconnecter.
problem-internal = Une erreur s'est produite de notre côté. Rien n'a été débité. Veuillez réessayer.

## What a countdown counts

time-days = { $count ->
    [one] jour
   *[other] jours
}
time-hours = { $count ->
    [one] heure
   *[other] heures
}
time-minutes = { $count ->
    [one] minute
   *[other] minutes
}
time-seconds = { $count ->
    [one] seconde
   *[other] secondes
}

## Seats and places

seat-in-row = Rang { $row }, place { $number }
seat-table = Table { $number } pour { $count }
seat-box = Loge { $number } pour { $count }
seat-section = Secteur { $name }

## The list of events

events-title = Événements
events-search = Artiste, événement ou lieu
events-city = Ville
events-all-cities = Toutes les villes
events-kind = Genre
events-all-kinds = Tous les genres
events-from = Du
events-until = Au
events-past = Événements passés
events-count = { $count ->
    [one] { $count } événement
   *[other] { $count } événements
}
events-none-match = Aucun événement ne correspond. Cette page cherche à nouveau d'elle-même.
events-none = Rien n'est encore en vente. Cette page cherche à nouveau d'elle-même.
events-sale-from = En vente à partir du { $date }
events-pages = Pages
events-page = Page { $page } sur { $pages }
events-back = Précédente
events-next = Suivante

## An event's page

event-state-on-sale = En vente
event-state-coming-up = Bientôt
event-state-paused = En pause
event-state-soldout = Complet
event-state-closed = Terminé
event-state-cancelled = Annulé
event-fees-included = Les prix comprennent tous les frais d'un billet.
event-fee-added = Des frais de { $fee } s'ajoutent à chaque commande.
event-sale-starts = La vente commence { $date }
event-prices = Prix
event-about = À propos
event-word = De l'organisateur : { $text }
event-travel = Comment venir
event-fullest = La plupart des acheteurs voudront { $places }. Les autres places sont plus faciles à obtenir.
event-seat-map = Plan de salle
event-sections-list = Secteurs en liste
event-ordered = Vous avez une commande pour cet événement. { $link }
event-go-on = Continuer à choisir vos places
event-says-soldout = Complet. Chaque place a son billet.
event-says-closed = La vente est terminée.
event-says-used-up = Vous avez utilisé toutes vos sessions pour cet événement et attendriez en vain. Voir « Mes commandes ».
event-says-draining = Plus personne ne peut rejoindre la salle d'attente. Les acheteurs qui attendent déjà entrent encore.
event-says-paused = La vente est en pause. Vous gardez votre place, et la vente reprend d'elle-même.
event-says-cancelled = L'organisateur a annulé cet événement. Plus rien n'est vendu, et tous les paiements sont remboursés d'eux-mêmes.
event-preview = Ceci est un aperçu. Les acheteurs ne voient pas encore cet événement, et personne ne peut le rejoindre.
event-perhaps-soon = Si l'événement vient d'être publié, cette page le montre d'elle-même dans la demi-minute.
event-too-early = La salle d'attente ouvre une demi-heure avant la vente. Venir tôt n'apporte rien : tous ceux qui sont là au début de la vente ont la même chance.
event-enter = Entrer dans la salle d'attente
event-get-tickets = Obtenir des billets
event-to-place = Retour à votre place
event-before-start = Tous ceux qui sont ici au début de la vente ont la même chance. Il est inutile d'actualiser.
event-after-start = Les places sont tirées au sort équitablement. Actualiser ou ouvrir d'autres fenêtres ne change rien.
event-rules = Comment la vente se passe
event-no-map = Le plan de salle ne peut pas être affiché pour le moment. Vous pouvez continuer sans lui.
event-map-failed = Le plan ne peut pas être chargé maintenant. La liste est ci-dessous.

## The end of the sale

news-sale-ends = La vente se termine { $date }, et plus personne n'entre après.
news-sale-ends-late = La vente se termine { $date }, et plus personne n'entre après. Votre attente peut durer plus longtemps.

## Who sells

seller-questions = Des questions ? { $way }
seller-questions-either = Des questions ? { $mail } ou { $phone }
seller-sold-by = Vendu par { $name }
seller-imprint = Mentions légales
seller-terms = Conditions
seller-privacy = Confidentialité
