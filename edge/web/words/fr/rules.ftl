# The words of the rules of a sale in French.

rules-title = Comment la vente se passe : { $event }
rules-draw = Le tirage au sort
rules-draw-start = La salle d'attente ouvre une demi-heure avant la vente. Tous ceux qui y sont au début de la vente ont la même chance : être le premier n'apporte rien.
rules-draw-number = Le hasard donne un nombre à chacun. Il décide du moment de l'entrée. Plus on attend, plus la chance est grande, jamais plus petite.
rules-draw-late = Qui vient après le début attend à partir de ce moment.
rules-draw-pace = Nous faisons entrer autant d'acheteurs qu'il peut en choisir tranquillement. L'attente peut donc devenir plus courte ou plus longue qu'annoncé.
rules-sign-in = Un compte pour se connecter. Une personne a une place dans la salle d'attente.
rules-limits = Ce qui est permis
rules-single-seat = Un choix qui laisse une place isolée est refusé.
rules-gains = Ce qui n'apporte rien
rules-refresh = Actualiser
rules-refresh-why = La page demande d'elle-même au bon moment. Demander plus souvent ne fait entrer personne plus tôt.
rules-windows = Dix onglets
rules-windows-why = Toutes les fenêtres d'une personne partagent une seule place. L'une demande, les autres l'attendent.
rules-line = Une ligne plus rapide
rules-line-why = Votre nombre et votre attente décident, et non une seconde d'avance.
rules-robot = Un robot
rules-robot-why = Il a la même chance que vous. Qui demande trop souvent reçoit d'abord un contrôle plus long, puis une pause.
rules-proof = Vérifier le tirage
rules-proof-before = Le tirage dépend d'une clé secrète, qu'on ne peut pas échanger sans que cela se voie : son empreinte est publique avant la vente. La voici : { $commitment }
rules-proof-beacon = Une valeur publique que personne ne peut connaître d'avance y est mêlée : { $source }.
rules-proof-after = Après la vente, l'organisateur peut publier la clé. Chacun peut alors recalculer les nombres, et voir s'il est entré à son moment.
rules-proof-key = La clé est publique, chacun peut recalculer les nombres : { $key }
rules-proof-data = Les données de l'événement, pour qui les vérifie
