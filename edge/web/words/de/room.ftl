# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = gleich
soon-seconds = { $count ->
    [one] in { $count } Sekunde
   *[other] in { $count } Sekunden
}
soon-minutes = { $count ->
    [one] in etwa { $count } Minute
   *[other] in etwa { $count } Minuten
}
estimate-under-seconds = { $count ->
    [one] weniger als { $count } Sekunde
   *[other] weniger als { $count } Sekunden
}
estimate-under-minutes = { $count ->
    [one] weniger als { $count } Minute
   *[other] weniger als { $count } Minuten
}
estimate-under-hours = { $count ->
    [one] weniger als { $count } Stunde
   *[other] weniger als { $count } Stunden
}
estimate-about-seconds = { $count ->
    [one] etwa { $from }–{ $count } Sekunde
   *[other] etwa { $from }–{ $count } Sekunden
}
estimate-about-minutes = { $count ->
    [one] etwa { $from }–{ $count } Minute
   *[other] etwa { $from }–{ $count } Minuten
}
estimate-about-hours = { $count ->
    [one] etwa { $from }–{ $count } Stunde
   *[other] etwa { $from }–{ $count } Stunden
}
estimate-over-seconds = { $count ->
    [one] mehr als { $count } Sekunde
   *[other] mehr als { $count } Sekunden
}
estimate-over-minutes = { $count ->
    [one] mehr als { $count } Minute
   *[other] mehr als { $count } Minuten
}
estimate-over-hours = { $count ->
    [one] mehr als { $count } Stunde
   *[other] mehr als { $count } Stunden
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, selten mehr als { $count } Sekunde
   *[other] { $about }, selten mehr als { $count } Sekunden
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, selten mehr als { $count } Minute
   *[other] { $about }, selten mehr als { $count } Minuten
}
estimate-rarely-hours = { $count ->
    [one] { $about }, selten mehr als { $count } Stunde
   *[other] { $about }, selten mehr als { $count } Stunden
}

## News of the sale, for those who wait

news-paused = Der Veranstalter hat den Verkauf angehalten. Sie behalten Ihren Platz.
news-none-free = Im Moment ist nichts frei. Plätze aus anderen Warenkörben können zurückkommen, und Sie behalten Ihren Platz, bis alle verkauft sind.
news-few-left = { $count ->
    [one] Es ist nur noch { $count } Platz frei. Er kann weg sein, bevor Sie an der Reihe sind.
   *[other] Es sind nur noch { $count } Plätze frei. Sie können weg sein, bevor Sie an der Reihe sind.
}

## Being called, and the turn to pay

call-me = Rufen Sie mich, wenn ich an der Reihe bin
call-sound = Wir rufen Sie mit einem Ton
call-sound-and-note = Wir rufen Sie mit einem Ton und einer Mitteilung
turn-busy = Gerade bezahlen viele Käufer.
turn-away = Der Zahlungsdienst antwortet im Moment nicht.
turn-opens = { $why } Ihre Plätze bleiben reserviert. Die Zahlung öffnet in { $clock }.
turn-kept = { $why } Ihre Plätze bleiben reserviert.
turn-goes-on = Diese Seite geht von selbst weiter: Bitte lassen Sie sie offen.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = Diese Anmeldung wurde nicht in diesem Fenster begonnen, oder sie ist schon abgeschlossen. Zu Ihrer Sicherheit gilt sie nicht. Bitte melden Sie sich hier an.
problem-sign-in-declined = Die Anmeldung wurde abgebrochen. Sie können sich ohne sie umsehen; für Karten müssen wir wissen, wer Sie sind.
problem-sign-in-failed = Der Anmeldedienst konnte die Anmeldung nicht abschließen. Nichts ist verloren; bitte versuchen Sie es noch einmal.
problem-sign-in-refused = Diese Anmeldung hat zu lange gedauert oder wurde schon verwendet. Bitte melden Sie sich erneut an.
problem-sign-in-unavailable = Eine Anmeldung ist gerade nicht möglich. Nichts ist verloren; bitte versuchen Sie es gleich noch einmal.
problem-nothing-kept = Ihr Browser speichert nichts für diese Website. Nach der Anmeldung würden wir Sie deshalb nicht wiedererkennen. Bitte erlauben Sie Cookies und Websitedaten für diese Website, oder öffnen Sie sie in einem anderen Fenster oder Browser.
problem-forbidden = Das gehört jemand anderem.
problem-not-eligible = Dieser Verkauf ist für Ihr Konto nicht offen.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Ihr Konto ist für diesen Verkauf noch zu neu.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = Sie können noch nicht hinein.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Von diesem Konto kamen zu viele ungewöhnliche Anfragen, deshalb muss es eine Weile ruhen.
problem-malformed-input-email = An diese Adresse kann keine E-Mail gesendet werden. Bitte prüfen Sie sie.
problem-malformed-input-postal_address = Der Veranstalter hat gerade geändert, welche Angaben er braucht. Bitte prüfen Sie Ihren Namen und Ihre Adresse.
problem-malformed-input-postal_address-part = Diese Angabe fehlt, ist zu lang oder enthält ein Zeichen, das nicht gedruckt werden kann.
problem-malformed-input-terms = Bitte akzeptieren Sie zuerst die AGB des Verkäufers.
problem-seats-taken = Jemand war schneller: Einer dieser Plätze ist gerade vergeben worden.
problem-single-seat = So bliebe ein einzelner Platz übrig. Bitte rücken Sie um einen weiter.
problem-no-seats-found = Keine Plätze passen zu diesem Wunsch. Versuchen Sie es mit weniger Plätzen, einem anderen Preis oder einem anderen Block.
problem-possible-together = Nebeneinander frei: { $what }.
problem-possible-whole = Frei: ein Tisch oder eine Loge für { $what }.
problem-possible-section = In Block { $what } gibt es Plätze.
problem-possible-area = In { $what } gibt es Plätze ohne Nummer.
problem-wrong-state = Das ist nicht mehr möglich.
problem-wrong-state-not-sold = Diese Bestellung wurde nicht bezahlt, deshalb gibt es keine Rechnung.
problem-wrong-state-no-seller = Der Veranstalter stellt für diese Veranstaltung keine Rechnungen aus.
problem-wrong-state-not-yet = Die Rechnung wird wenige Minuten nach Ablauf der Zahlungsfrist erstellt. Bitte versuchen Sie es dann noch einmal.
problem-wrong-state-no-mail = Hier werden keine E-Mails versendet, deshalb können Karten nicht per E-Mail gefunden werden. Bitte melden Sie sich an wie beim Kauf, oder wenden Sie sich an die Kasse des Veranstalters.
problem-wrong-state-being-made = Ihre Karten werden gerade erstellt. Bitte versuchen Sie es gleich noch einmal.
problem-wrong-state-event-cancelled = Der Veranstalter hat diese Veranstaltung abgesagt. Alles, was bezahlt wurde, geht automatisch an den Käufer zurück.
problem-wrong-state-void = Ungültige Karten können weder storniert noch weitergegeben werden. Bitte wenden Sie sich an den Veranstalter.
problem-wrong-state-never = Der Veranstalter bietet das für diese Karten nicht an.
problem-wrong-state-too-late = Die Frist dafür ist abgelaufen.
problem-wrong-state-withdrawn = Dieses Angebot wurde zurückgezogen. Wer die Karte weitergibt, kann einen neuen Link senden.
problem-wrong-state-own = Das ist Ihre eigene Karte. Senden Sie den Link der Person, die sie bekommen soll.
problem-wrong-state-accepted = Diese Karte wurde bereits angenommen und gehört Ihnen jetzt nicht.
problem-wrong-state-too-often = Diese Karte wurde so oft weitergegeben, wie es erlaubt ist. Sie bleibt bei Ihnen.
problem-wrong-state-passed-on = Eine Karte wurde weitergegeben, und ihr Platz gehört Ihnen nicht mehr.
problem-version-conflict = Inzwischen hat sich etwas geändert. Bitte versuchen Sie es noch einmal.
problem-hold-expired = Die Zeit für diese Plätze ist abgelaufen, und sie sind wieder frei.
problem-session-expired = Ihre Zeit zum Auswählen ist vorbei, und Ihre Plätze sind wieder frei.
problem-sale-over = Der Verkauf ist vorbei.
problem-payment-waits = Gerade bezahlen viele Käufer. Ihre Plätze bleiben reserviert; bitte versuchen Sie es gleich noch einmal.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Ihre Plätze bleiben reserviert; bitte versuchen Sie es gleich noch einmal.
problem-payment-refused = Diese Bestellung kann nicht mehr bezahlt werden.
problem-payment-refused-already-refunded = Diese Zahlung wurde bereits erstattet.
problem-payment-refused-disputed = Ihre Bank bucht diese Zahlung zurück, deshalb kann sie hier nicht erstattet werden.
problem-payment-refused-failed = Die Erstattung wurde gesendet, und die Bank hat sie zurückgewiesen. Bitte wenden Sie sich an die Kasse des Veranstalters.
problem-payment-refused-invalid = Der Zahlungsdienst lehnt das ab. Bitte wenden Sie sich an die Kasse des Veranstalters.
problem-payment-refused-too-late = Die Zeit, diese Bestellung zu bezahlen, ist vorbei.
problem-payment-refused-too-old = Diese Zahlung liegt zu lange zurück, um auf die Zahlungskarte erstattet zu werden. Bitte wenden Sie sich an die Kasse des Veranstalters.
problem-payment-refused-unknown-payment = Der Zahlungsdienst kennt diese Zahlung nicht. Bitte wenden Sie sich an die Kasse des Veranstalters.
problem-idempotency-mismatch = Diese Anfrage wurde schon in anderer Form gestellt. Bitte laden Sie die Seite neu.
problem-limit-exceeded = Das ist mehr, als ein Käufer haben darf.
problem-limit-exceeded-address = Das sind mehr Plätze, als eine Postadresse haben darf.
problem-limit-is = { $text } Die Grenze ist { $limit }.
problem-until = { $text } Ihre Plätze bleiben bis spätestens { $time } Uhr für Sie reserviert.
problem-dependency-unavailable-settling = Es ist noch nicht geklärt, ob diese Plätze bezahlt sind.
problem-too-early = Das war etwas zu früh. Die Seite versucht es von selbst noch einmal.
problem-link-ended = Dieser Link öffnet nichts. Ein Link gilt 24 Stunden: Bitte fordern Sie einen neuen an.
problem-waiting-token-ended = Sie mussten einen neuen Platz bekommen. Das Los bleibt dasselbe.

## Small parts

part-copied = Kopiert
part-copy-yourself = Bitte kopieren Sie es selbst
part-close-notice = Diesen Hinweis schließen

## A page that needs a sign-in

sign-in-again = Noch einmal anmelden
sign-in-failed = Sie sind nicht angemeldet
sign-in-heading = Bitte melden Sie sich an
sign-in-heading-again = Bitte melden Sie sich noch einmal an
sign-in-why-wait = Eine Person hat einen Platz im Warteraum, deshalb müssen wir wissen, wer Sie sind.
sign-in-why-theirs = Bestellungen und Karten sehen nur die, denen sie gehören, deshalb müssen wir wissen, wer Sie sind.
sign-in-why-accept = Jemand gibt eine Karte an Sie weiter. Melden Sie sich an, um sie zu sehen und anzunehmen: Danach steht sie unter „Meine Bestellungen“. Es wird nichts abgebucht.
sign-in-why-ended = Ihre Anmeldung ist abgelaufen. Das allein kostet Sie nichts: Ihr Platz im Warteraum und reservierte Plätze bleiben, bis ihre eigene Zeit um ist. Bitte melden Sie sich als dieselbe Person an.
sign-in-lost-tickets = Karten verloren? { $link }.
sign-in-lost-tickets-link = Per E-Mail wiederfinden

## Whom a sale is open to

account-members-until = Bis { $date } können nur Mitglieder Karten kaufen ({ $names }). Danach ist der Verkauf für alle offen.
account-members = Nur Mitglieder können Karten kaufen ({ $names }).
account-phone = Ihr Konto braucht eine bestätigte Telefonnummer.
account-days = { $count ->
    [one] Ihr Konto muss mindestens { $count } Tag alt sein.
   *[other] Ihr Konto muss mindestens { $count } Tage alt sein.
}
account-address-limit = { $count ->
    [one] Eine Postadresse darf in allen Bestellungen höchstens { $count } Platz haben.
   *[other] Eine Postadresse darf in allen Bestellungen höchstens { $count } Plätze haben.
}
account-card-limit = { $count ->
    [one] Mit einer Zahlungskarte darf in allen Bestellungen höchstens { $count } Platz bezahlt werden.
   *[other] Mit einer Zahlungskarte dürfen in allen Bestellungen höchstens { $count } Plätze bezahlt werden.
}
account-no-phone = Ihr Konto hat keine bestätigte Telefonnummer, deshalb können Sie für diese Veranstaltung keine Karten kaufen. Bitte bestätigen Sie Ihre Nummer dort, wo Sie sich anmelden, melden Sie sich dann hier ab und wieder an.
account-too-young = { $count ->
    [one] Konten für diese Veranstaltung müssen mindestens { $count } Tag alt sein. Ihres ist vom { $since }, deshalb können Sie keine Karten kaufen.
   *[other] Konten für diese Veranstaltung müssen mindestens { $count } Tage alt sein. Ihres ist vom { $since }, deshalb können Sie keine Karten kaufen.
}
account-age-unknown = { $count ->
    [one] Konten für diese Veranstaltung müssen mindestens { $count } Tag alt sein, und Ihre Anmeldung sagt nicht, wie alt Ihres ist. Deshalb können Sie für diese Veranstaltung keine Karten kaufen.
   *[other] Konten für diese Veranstaltung müssen mindestens { $count } Tage alt sein, und Ihre Anmeldung sagt nicht, wie alt Ihres ist. Deshalb können Sie für diese Veranstaltung keine Karten kaufen.
}
account-no-member-yet = Ihr Konto ist kein Mitglied. Bitte kommen Sie am { $date } wieder: Früher zu kommen bringt nichts.
account-no-member = Ihr Konto ist kein Mitglied, deshalb können Sie für diese Veranstaltung keine Karten kaufen.

## The waiting room

wait-title = Warteraum: { $event }
wait-heading-joining = Sie bekommen Ihren Platz …
wait-heading-elsewhere = Ein anderes Fenster hält Ihren Platz
wait-heading-solving = Eine kurze Prüfung Ihres Browsers …
wait-heading-waiting = Sie sind im Warteraum
wait-heading-prequeue = Sie sind früh da, und Ihr Platz ist sicher
wait-heading-asking = Wir fragen, ob Sie hineinkönnen …
wait-heading-paused = Der Verkauf ist angehalten
wait-heading-full = Sie sind fast drin
wait-heading-settling = Ihre letzte Bestellung wird abgeschlossen
wait-heading-locked = Sie können noch nicht hinein
wait-heading-busy = Der Dienst ist sehr ausgelastet
wait-heading-offline = Die Verbindung ist unterbrochen
wait-heading-strange = Etwas in diesem Netz antwortet an unserer Stelle
wait-heading-stripped = Etwas in diesem Netz entfernt einen Teil dessen, was diese Seite sendet
wait-text-joining = Einen Moment.
wait-text-elsewhere = Machen Sie dort weiter. Dieses Fenster übernimmt von selbst, wenn das andere geschlossen wird.
wait-text-solving = Ihr Gerät erledigt eine kleine Aufgabe, damit niemand Tausende Roboter schicken kann.
wait-text-waiting = Die Plätze werden fair gelost, und je länger Sie warten, desto besser ist Ihre Chance. Wir lassen Sie automatisch hinein.
wait-text-prequeue = Alle, die beim Verkaufsstart hier sind, haben dieselbe Chance: Zuerst da zu sein bringt nichts.
wait-text-asking = Einen Moment.
wait-text-paused = Der Veranstalter hat die Schlange für einen Moment angehalten. Sie behalten Ihren Platz, und es geht von selbst weiter.
wait-text-full = Im Moment sind drinnen alle Plätze belegt. Sie werden in der Reihenfolge des Loses frei, also hilft früheres Fragen niemandem.
wait-text-settling = Sie behalten Ihren Platz, und die Seite versucht es von selbst noch einmal.
wait-text-locked = Sie behalten Ihren Platz, und die Seite versucht es von selbst noch einmal.
wait-text-busy = Ihr Platz ist sicher. Die Seite versucht es von selbst noch einmal.
wait-text-offline = Ihr Platz ist auf diesem Gerät sicher. Die Seite geht weiter, wenn die Verbindung zurückkommt.
wait-text-strange = Wir versuchen es weiter; Ihr Platz ist sicher. Verlangt dieses Netz eine Anmeldung, öffnen Sie seine Seite; sonst hilft ein anderes Netz, etwa das Ihres Telefons.
wait-text-stripped = Ohne diesen Teil können wir Ihren Platz nicht erkennen. Wir versuchen es weiter; Ihr Platz ist sicher. Meist hilft ein anderes Netz, etwa das Ihres Telefons.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Ihr Platz ist abgelaufen, während diese Seite schlief; Sie haben einen neuen und warten ab jetzt.
wait-noticed = Von diesem Konto kamen ungewöhnliche Anfragen, deshalb prüft Ihr Browser länger.
wait-hint-open = Lassen Sie diese Seite offen. Sie dürfen sie neu laden oder den Bildschirm einige Minuten sperren: Sie behalten Ihren Platz.
wait-hint-windows = Neu laden, mehr Fenster oder eine schnellere Leitung helfen niemandem.
wait-leave = Warteraum verlassen
wait-really-leave = Wirklich verlassen? Ihr Platz wird aufgegeben
wait-starts-in = Der Verkauf beginnt in
wait-fact-estimate = Ihre Wartezeit ab jetzt
wait-fact-unknown = noch nicht bekannt
wait-fact-starts = Verkaufsstart
wait-fact-since = Sie warten seit
wait-fact-next = Nächster Blick
wait-fact-now = jetzt
wait-turn = Sie sind an der Reihe
wait-you-are-in = Sie sind drin, bis { $until }. Bitte wählen Sie Ihre Plätze.
in-title = Sie sind drin: { $event }
in-heading = Sie sind drin
in-since = Sie sind seit { $from } drin. Ihre Zeit zum Auswählen läuft und endet um { $until }.
in-until = Ihre Zeit zum Auswählen läuft und endet um { $until }.
in-choose = Plätze wählen
in-steps = Was zu tun ist
in-step-choose = Wählen Sie einen Block auf dem Plan, oder lassen Sie uns die besten Plätze suchen: bis zu { $limit } auf einmal.
in-step-hold = Reservieren Sie Ihre Plätze. Was nur ausgewählt ist, ist für andere noch frei.
in-step-pay = Gehen Sie zur Kasse, bevor Ihre Zeit endet. Zeit zum Bezahlen danach: { $time }.
in-ends = Wenn Ihre Zeit endet, werden Ihre reservierten Plätze für andere frei.
wait-room-full = Der Warteraum ist voll
wait-room-full-text = Niemand Neues wird aufgenommen. Wer schon wartet, kommt noch hinein. Es tut uns leid, dass Sie diesmal zu spät gekommen sind.
wait-sale-over = Der Verkauf ist vorbei
wait-sold-out = Ausverkauft
wait-sold-out-text = Jeder Platz hat jemanden gefunden. Es tut uns leid, dass Sie es diesmal nicht waren; die Auslosung war fair.
wait-closed-text = Der Verkauf ist beendet. Danke fürs Warten.
wait-break-open = Bitte benutzen Sie ein Fenster und laden Sie nicht neu; die Seite fragt von selbst.
wait-lock-ends = Das endet in
wait-lock-person = Das hat eine Person beim Veranstalter entschieden. Der Grund: { $reason }
wait-appeal-text = Was soll die Person wissen? (freiwillig)
wait-appeal-ask = Eine Person um Prüfung bitten
wait-appealed = Eine Person ist gebeten, es zu prüfen. Lässt sie Sie hinein, macht diese Seite sofort weiter, sonst dann, wenn die Zeit um ist. Sie müssen nichts weiter tun.
wait-used-up = Sie können nicht noch einmal hinein
wait-used-up-text = Sie haben alle Ihre Sitzungen für diese Veranstaltung verbraucht und würden vergeblich warten.
wait-not-eligible = Dieser Verkauf ist für Ihr Konto nicht offen
wait-trying-again = Wir versuchen es von selbst noch einmal.
room-as-of = Freie Plätze um { $time }.
ready-title = Halten Sie bereit
ready-sign-in = Sie sind angemeldet. Dafür ist nichts mehr zu tun.
ready-pay = Eine Karte oder Wallet zum Bezahlen und die App, mit der Ihre Bank nachfragt.
ready-address = Ihre Postanschrift: An der Kasse wird danach gefragt.
ready-wishes = Welchen Preis Sie zahlen möchten, und zwei andere Möglichkeiten.
ready-limit = Plätze je Konto: bis zu { $limit }.
ready-times = Zeit zum Auswählen: { $choose }. Zeit zum Bezahlen danach: { $pay }.

## The end of a session

session-time-over = Ihre Zeit zum Auswählen ist vorbei, und Ihre Plätze sind wieder frei, damit andere sie bekommen können.
session-none = Es gibt hier keine offene Sitzung für Sie. Falls Ihre Zeit abgelaufen ist, sind Ihre Plätze wieder frei.
session-ended = Diese Sitzung ist beendet.
session-over = Ihre Sitzung ist vorbei
session-ordered = Sie haben bestellt
session-ordered-text = Ihre Bestellung für diese Veranstaltung ist sicher. Sie haben dafür jetzt keine offene Sitzung.

## The sale

sale-title = Plätze wählen: { $event }
sale-time = Verbleibende Zeit
sale-time-left = noch { $time }
sale-one-minute = Noch eine Minute.
sale-to-venue = Zurück zum ganzen Saalplan
sale-show-list = Als Liste zeigen
sale-show-map = Plan zeigen
sale-seat-taken = { $seat } ist vergeben.
sale-seat-mine = { $seat } ist schon für Sie reserviert.
sale-seat-chosen = { $seat } gewählt
sale-seat-unchosen = { $seat } nicht mehr gewählt
sale-limit = Ein Käufer darf höchstens { $limit } reservieren. Geben Sie einen zurück, um einen anderen zu wählen.
sale-limit-held = { $count ->
    [one] Ein Käufer darf höchstens { $limit } reservieren, und { $count } ist schon reserviert.
   *[other] Ein Käufer darf höchstens { $limit } reservieren, und { $count } sind schon reserviert.
}
sale-held = Für Sie reserviert: { $seats }.
sale-given-back = Zurückgegeben.
sale-faster = { $count ->
    [one] Jemand war schneller: { $seats } ist vergeben.
   *[other] Jemand war schneller: { $seats } sind vergeben.
}
sale-faster-others = Die anderen sind noch gewählt und noch nicht reserviert.
sale-faster-choose = Bitte wählen Sie einen anderen.
sale-being-taken = Jemand anderes nimmt gerade { $seats }. Wenn nicht, ist der Platz in wenigen Sekunden wieder frei.
sale-just-taken = Gerade an jemand anderen vergeben: { $seats }.
sale-outdated = Der Plan ist im Moment nicht aktuell. Plätze, die Sie reserviert haben, sind sicher.
sale-seats = { $count ->
    [one] { $count } Platz
   *[other] { $count } Plätze
}

## Beside the map

panel-title = Ihre Plätze
panel-key = Auf dem Plan sind kleine graue Punkte vergeben oder durch Ihre Preise ausgeblendet, Streifen heißen: nur noch wenige frei, und ✓ ist Ihrer.
panel-to-map = Zurück zum Plan
panel-to-seats = Ihre Plätze und die besten freien
panel-best = Beste freie Plätze
panel-any-price = Jeder Preis
panel-find = Plätze suchen und reservieren
panel-seats = Plätze
panel-price = Preis
panel-where = Wo
panel-anywhere = Überall
panel-wheelchair = Mit Rollstuhlplatz
panel-holding = Wird reserviert …
panel-hold = { $count ->
    [one] { $count } Platz reservieren
   *[other] { $count } Plätze reservieren
}
panel-chosen-title = { $count ->
    [one] Gewählt: { $count } Platz
   *[other] Gewählt: { $count } Plätze
}
panel-chosen = { $count ->
    [one] { $count } Platz gewählt
   *[other] { $count } Plätze gewählt
}
panel-held = { $count ->
    [one] { $count } Platz reserviert
   *[other] { $count } Plätze reserviert
}
panel-not-held = Noch nicht reserviert.
panel-held-title = Für Sie reserviert
panel-total = Summe
panel-fees = Alle Gebühren sind in der Summe.
panel-go-to-checkout = Zur Kasse
panel-checkout = Kasse
panel-nothing = Noch nichts reserviert
panel-empty = Noch ist nichts reserviert. Wählen Sie einen Block auf dem Plan, oder lassen Sie uns die besten Plätze suchen. Sie dürfen bis zu { $limit } reservieren.
panel-not-this = { $seat } nicht nehmen
panel-give-back = Zurückgeben
panel-give-these-back = Diese zurückgeben

## Seats as a list

list-row = Reihe { $row }
list-free = { $count ->
    [one] { $count } Platz frei
   *[other] { $count } Plätze frei
}
list-none-free = keiner frei
list-state-mine = für Sie reserviert
list-state-gone = vergeben
list-kind-accessible = barrierefrei
list-kind-companion = Begleitplatz
list-table-for = Tisch für { $count }
list-box-for = Loge für { $count }

## An area without numbered seats

area-hold = Plätze reservieren
area-free-seating = Keine nummerierten Plätze: Stehen oder sitzen Sie, wo Sie möchten.
area-free-seating-price = Keine nummerierten Plätze: Stehen oder sitzen Sie, wo Sie möchten. Je { $price }.
area-how-many = Wie viele
area-left = { $count ->
    [one] noch { $count } Platz
   *[other] noch { $count } Plätze
}
area-none-left = Im Moment keiner mehr frei
