# The words of the first pages in German. Buyers are „Sie“; words/en/first.ftl says what stands where.

## Every page

page-skip = Zum Inhalt springen
page-offline = Sie sind offline. Nichts geht verloren: Diese Seite macht weiter, sobald die Verbindung wieder da ist.
page-language = Sprache
page-loading = Wird geladen …
page-loading-title = Wird geladen
page-my-orders = Meine Bestellungen
page-find-tickets = Meine Karten finden
page-sign-in = Anmelden
page-sign-out = Abmelden
page-all-events = Alle Veranstaltungen
page-to-event = Zurück zur Veranstaltung
page-to-order = Zur Bestellung
page-try-again = Erneut versuchen
page-failed = Etwas ist im Weg
page-not-found = Nicht gefunden

## What goes wrong on any page, by the problem's code

problem-offline = Der Dienst ist gerade nicht erreichbar. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.
problem-strange-network = Etwas in diesem Netz antwortet an unserer Stelle. Nichts ist verloren. Wenn dieses Netz eine Anmeldung verlangt, öffnen Sie dessen Seite; sonst versuchen Sie es in einem anderen Netz, etwa dem Ihres Telefons.
problem-stripped-request = Etwas in diesem Netz entfernt einen Teil dessen, was diese Seite sendet. Nichts ist verloren. Meist hilft ein anderes Netz, etwa das Ihres Telefons.
problem-malformed-input = Etwas an dieser Anfrage wurde nicht verstanden. Bitte prüfen Sie Ihre Eingaben.
problem-not-found = Das gibt es nicht oder nicht mehr.
problem-too-many-requests = Das war etwas schnell. Bitte warten Sie einen Moment und versuchen Sie es noch einmal.
problem-dependency-unavailable = Der Dienst ist stark ausgelastet. Nichts ist verloren; bitte versuchen Sie es gleich noch einmal.
problem-unauthenticated = Bitte melden Sie sich an.
problem-sign-in-ended = Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.
problem-internal = Bei uns ist etwas schiefgegangen. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal.

## What a countdown counts

time-days = { $count ->
    [one] Tag
   *[other] Tage
}
time-hours = { $count ->
    [one] Stunde
   *[other] Stunden
}
time-minutes = { $count ->
    [one] Minute
   *[other] Minuten
}
time-seconds = { $count ->
    [one] Sekunde
   *[other] Sekunden
}

## Seats and places

seat-in-row = Reihe { $row }, Platz { $number }
seat-table = Tisch { $number } für { $count }
seat-box = Loge { $number } für { $count }
seat-section = Block { $name }

## The list of events

events-title = Veranstaltungen
events-search = Künstler, Veranstaltung oder Ort
events-city = Stadt
events-all-cities = Alle Städte
events-kind = Art
events-all-kinds = Alle Arten
events-from = Von
events-until = Bis
events-past = Vergangene Veranstaltungen
events-count = { $count ->
    [one] { $count } Veranstaltung
   *[other] { $count } Veranstaltungen
}
events-none-match = Keine Veranstaltung passt dazu. Diese Seite sieht von selbst wieder nach.
events-none = Es ist noch nichts im Verkauf. Diese Seite sieht von selbst wieder nach.
events-sale-from = Verkauf ab { $date }
events-pages = Seiten
events-page = Seite { $page } von { $pages }
events-back = Zurück
events-next = Weiter

## An event's page

event-state-on-sale = Im Verkauf
event-state-coming-up = Demnächst
event-state-paused = Angehalten
event-state-soldout = Ausverkauft
event-state-closed = Beendet
event-state-cancelled = Abgesagt
event-fees-included = Die Preise enthalten alle Gebühren einer Karte.
event-fee-added = Zu jeder Bestellung kommt eine Gebühr von { $fee }.
event-sale-starts = Der Verkauf beginnt: { $date }
event-prices = Preise
event-about = Über die Veranstaltung
event-word = Vom Veranstalter: { $text }
event-travel = Anfahrt
event-fullest = Die meisten Käufer wollen { $places }. Andere Plätze sind leichter zu bekommen.
event-seat-map = Saalplan
event-sections-list = Blöcke als Liste
event-ordered = Sie haben eine Bestellung für diese Veranstaltung. { $link }
event-go-on = Weiter Plätze wählen
event-says-soldout = Ausverkauft. Für jeden Platz ist eine Karte verkauft.
event-says-closed = Der Verkauf ist beendet.
event-says-used-up = Sie haben alle Ihre Sitzungen für diese Veranstaltung verbraucht und würden vergeblich warten. Siehe „Meine Bestellungen“.
event-says-draining = Der Warteraum nimmt niemanden mehr auf. Wer schon wartet, wird noch eingelassen.
event-says-paused = Der Verkauf ist angehalten. Sie behalten Ihren Platz, und der Verkauf geht von selbst weiter.
event-says-cancelled = Der Veranstalter hat diese Veranstaltung abgesagt. Es wird nichts mehr verkauft, und alle Zahlungen gehen von selbst zurück.
event-preview = Das ist eine Vorschau. Käufer sehen diese Veranstaltung noch nicht, und niemand kann teilnehmen.
event-perhaps-soon = Wenn die Veranstaltung gerade erst veröffentlicht wurde, zeigt diese Seite sie von selbst innerhalb einer halben Minute.
event-too-early = Der Warteraum öffnet eine halbe Stunde vor dem Verkauf. Früh zu kommen bringt nichts: Alle, die zum Beginn des Verkaufs da sind, haben die gleiche Chance.
event-enter = Zum Warteraum
event-get-tickets = Karten kaufen
event-to-place = Zurück zu Ihrem Platz
event-before-start = Alle, die zum Beginn des Verkaufs hier sind, haben die gleiche Chance. Sie müssen die Seite nicht neu laden.
event-after-start = Die Plätze werden fair verlost. Neu laden oder mehr Fenster öffnen ändert nichts.
event-rules = So läuft der Verkauf
event-no-map = Der Saalplan kann gerade nicht gezeigt werden. Sie können ohne ihn weitermachen.
event-map-failed = Der Saalplan kann jetzt nicht geladen werden. Die Liste steht darunter.

## The end of the sale

news-sale-ends = Der Verkauf endet: { $date }. Danach wird niemand mehr eingelassen.
news-sale-ends-late = Der Verkauf endet: { $date }. Danach wird niemand mehr eingelassen. Es kann sein, dass Sie länger warten müssten.

## Who sells

seller-questions = Fragen? { $way }
seller-questions-either = Fragen? { $mail } oder { $phone }
seller-sold-by = Verkauf durch { $name }
seller-imprint = Impressum
seller-terms = AGB
seller-privacy = Datenschutz
