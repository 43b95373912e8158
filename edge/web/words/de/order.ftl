# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Kasse: { $event }
checkout-heading = Kasse
checkout-fee-order = Gebühr je Bestellung
checkout-fee-ticket = { $count } × Gebühr je Karte
checkout-pay = { $sum } bezahlen
checkout-moment = Einen Moment …
checkout-email = E-Mail-Adresse für Ihre Karten
checkout-provider = Sie bezahlen auf der Seite des Zahlungsdienstes. Wir sehen Ihre Kartendaten nie.
checkout-accept = Ich akzeptiere die { $terms }
checkout-terms = AGB des Verkäufers
checkout-terms-new = Der Verkäufer hat neue AGB. Bitte lesen und akzeptieren Sie sie.
checkout-change-seats = ← Plätze ändern

## The buyer's address

postal-heading = Ihr Name und Ihre Adresse
postal-name = Name
postal-street = Straße und Hausnummer
postal-postcode = Postleitzahl (falls vorhanden)
postal-city = Ort
postal-country = Land

## What has become of an order

order-title-pending = Wir warten auf Ihre Zahlung
order-text-pending = Sobald der Zahlungsdienst sie meldet, erscheinen hier Ihre Karten.
order-title-paid = Bezahlt. Ihre Karten werden erstellt
order-text-paid = Das dauert einige Sekunden.
order-title-ticketed = Ihre Karten
order-title-failed = Sie haben diese Plätze zurückgegeben
order-text-failed = Es wurde nichts abgebucht.
order-title-expired = Die Zeit zum Bezahlen ist vorbei
order-text-expired = Es wurde nichts abgebucht, und Ihre Plätze sind wieder frei.
order-title-refund-due = Ihr Geld geht an Sie zurück
order-text-refund-due = Die Zahlung kam an, nachdem Ihre Plätze vergeben waren; sie konnten nicht für Sie gehalten werden.
order-title-refunded = Ihr Geld wurde zurückgesendet
order-title-cancelled = Die Bestellung wurde storniert
order-text-cancelled = Die Karten gelten nicht mehr.
order-title-disputed = Ihre Karten gelten vorerst nicht
order-text-disputed = Ihre Bank hat diese Zahlung zurückgefordert, deshalb gelten die Karten vorerst nicht. Wenn das ein Versehen war, sagen Sie es bitte Ihrer Bank: Sobald sie die Forderung zurücknimmt, gelten die Karten wieder.
order-title-charged-back = Diese Bestellung ist beendet
order-text-charged-back = Ihre Bank hat die Zahlung zurückgeholt, und die Karten gelten nicht mehr. Es wird nichts weiter abgebucht.
order-title-declined = Ihre Zahlungskarte wurde abgelehnt
order-text-declined = Ihre Bank hat die Zahlungskarte abgelehnt. Es wurde nichts abgebucht. Ihre Plätze sind bis { $time } Uhr für Sie reserviert.
order-title-card-limit = Diese Zahlungskarte hat ihre Grenze erreicht
order-text-card-limit = Mit dieser Zahlungskarte wurden schon so viele Plätze bezahlt, wie mit einer erlaubt sind. Es wurde nichts abgebucht. Ihre Plätze sind bis { $time } Uhr für Sie reserviert.
order-title-all-passed-on = Sie haben Ihre Karten weitergegeben
order-text-all-passed-on = Andere haben sie jetzt, jede mit einem eigenen Code.
order-title-event-cancelled = Die Veranstaltung ist abgesagt
order-text-event-cancelled = Der Veranstalter hat diese Veranstaltung abgesagt. Ihre Karten gelten nicht mehr, und alles, was Sie bezahlt haben, geht an Sie zurück.
order-title-settling = Wir klären, ob Sie bezahlt haben
order-text-settling = Die Zeit zum Bezahlen ist vorbei, und der Zahlungsdienst hat noch nicht gemeldet, ob Sie bezahlt haben. Wenn ja, erscheinen hier Ihre Karten. Wenn nicht, werden die Plätze spätestens um { $time } Uhr frei.
order-text-settling-late = Die Zeit zum Bezahlen ist vorbei, und der Zahlungsdienst hat noch nicht gemeldet, ob Sie bezahlt haben. Wenn ja, bekommen Sie hier Ihre Karten, oder Ihr Geld zurück, falls andere die Plätze inzwischen haben.
order-title-void = Ihre Karten sind ungültig
order-text-void = Der Veranstalter hat sie für ungültig erklärt. Sie gelten nicht mehr. Bitte wenden Sie sich an den Veranstalter.
order-text-void-these = Diese Karten sind ungültig: { $labels }. Sie gelten nicht mehr. Bitte wenden Sie sich an den Veranstalter.
order-word-pending = Zu bezahlen
order-word-paid = Bezahlt
order-word-ticketed = Karten
order-word-failed = Zurückgegeben
order-word-expired = Nicht bezahlt
order-word-refund-due = Erstattung
order-word-refunded = Erstattet
order-word-cancelled = Storniert
order-word-disputed = Ausgesetzt
order-word-charged-back = Beendet
order-word-event-cancelled = Abgesagt
order-word-none-left = Keine Karte übrig
order-refunding = Der Betrag wird erstattet. Banken brauchen dafür einige Tage. Ist das Geld bis dahin nicht da? Bitte wenden Sie sich an die Kasse des Veranstalters.
order-refund-owed = { $sum } werden Ihnen in Kürze zurückgesendet. Banken brauchen dafür einige Tage. Ist das Geld bis dahin nicht da? Bitte wenden Sie sich an die Kasse des Veranstalters.
order-refund-sent = { $sum } sind auf dem Weg zu Ihnen. Banken brauchen dafür einige Tage. Ist das Geld bis dahin nicht da? Bitte wenden Sie sich an die Kasse des Veranstalters.
order-refund-arrived = { $sum } wurden an Sie zurückgesendet. Bis Ihre Bank es zeigt, können einige Tage vergehen.
order-refund-attention = Ihre Erstattung von { $sum } hat Ihre Bank nicht erreicht. Der Veranstalter weiß davon und kümmert sich darum; Sie brauchen jetzt nichts zu tun.
order-refund-handled = Ihre Erstattung von { $sum } hat Ihre Bank zunächst nicht erreicht, und der Veranstalter hat sich darum gekümmert. Ist sie nicht angekommen? Bitte wenden Sie sich an die Kasse des Veranstalters.
order-title-refund-attention = Der Veranstalter kümmert sich um Ihre Erstattung
order-title-refund-handled = Ihre Erstattung ist geklärt
order-paid-twice = Sie haben diese Bestellung ein zweites Mal bezahlt. { $text }

## An order's page

order-heading = Bestellung
order-payment = Zahlung
order-copy = Kopieren
order-vat = inkl. { $rate } % USt, { $sum }
order-postal = Name und Postadresse: { $address }
order-mails-to = E-Mails gehen an { $email }.
order-places = { $count ->
    [one] { $event }, { $count } Platz
   *[other] { $event }, { $count } Plätze
}
order-calendar = In den Kalender
order-invoice = Rechnung (PDF)
order-to-payment = Zur Zahlungsseite
order-unpaid = Noch nicht bezahlt. Falls die Zahlung abgelehnt wurde oder Sie zurückgekommen sind, ohne zu bezahlen: Es wurde nichts abgebucht, und Sie können es noch einmal versuchen.
order-held-for = Ihre Plätze sind noch { $clock } reserviert.
order-change-address = Adresse ändern
order-tickets-go-to = Die Karten gehen an { $email }
order-address-changed = Die Adresse ist geändert.
order-give-back = Plätze zurückgeben
order-give-back-really = Die Plätze wirklich zurückgeben?
order-too-late = Die Zeit, diese Plätze zu bezahlen, ist vorbei. Falls Sie doch bezahlt haben, zeigt es diese Seite.
order-paid-meanwhile = Sie haben diese Plätze gerade bezahlt: Sie gehören Ihnen.
order-no-news = Ihre Anmeldung ist abgelaufen, deshalb zeigt diese Seite nichts Neues mehr zu Ihrer Bestellung. { $again }
order-sent-to = Gesendet an { $email }. Es kann einige Minuten dauern.
order-send-there = Karten dorthin senden
order-send-again = Ändern oder noch einmal senden
order-sent-now = Die Karten werden an { $email } gesendet.
order-sent-often = Sie haben sich heute schon mehrmals Karten senden lassen. Bitte versuchen Sie es morgen wieder.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Reihe { $row } · Platz { $number }
place-table = { $section } · { $row } · Tisch { $number }
place-box = { $section } · { $row } · Loge { $number }

## All orders

orders-count = { $count ->
    [one] { $count } Karte · { $sum }
   *[other] { $count } Karten · { $sum }
}
orders-goes-back = { $text } · { $sum } gehen zurück
orders-sent-back = { $text } · { $sum } zurückgesendet
orders-none = Mit dieser Anmeldung haben Sie noch nichts bestellt. Eine Bestellung erscheint hier, kurz nachdem sie aufgegeben wurde.
orders-older = Ältere Bestellungen
orders-older-failed = Die älteren Bestellungen konnten nicht geladen werden. { $why }
orders-passed-on = An Sie weitergegeben
orders-bought = Von Ihnen gekauft
orders-ticket = Karte
orders-word-passed-on = Weitergegeben
orders-word-void = Ungültig

## Tickets

ticket-show = { $count ->
    [one] Zeigen Sie diesen Code am Einlass, auf dem Bildschirm oder auf Papier.
   *[other] Zeigen Sie diese Codes am Einlass, auf dem Bildschirm oder auf Papier.
}
ticket-all-pdf = Karten (PDF)
ticket-number = Karte { $number } von { $total }
ticket-loading = Karte wird geladen …
ticket-save = Bild speichern
ticket-picture = { $name }, mit ihrem QR-Code
ticket-offered = Angeboten bis { $date }. Sie gehört Ihnen, bis jemand sie annimmt.
ticket-not-loaded = { $name } konnte nicht geladen werden.
ticket-load-again = Noch einmal laden
ticket-gone = Weitergegeben: { $label }
ticket-gone-text = Jemand anderes hat diese Karte jetzt. Ihr Code hier ist ungültig.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Eine Karte an jemanden weitergeben
transfer-ended = Karten konnten bis { $date } weitergegeben werden.
transfer-how = Das geht bis { $date }. Sie bekommen einen Link, der höchstens 48 Stunden gilt. Wer ihn öffnet und sich anmeldet, bekommt die Karte mit einem neuen Code, und Ihre wird ungültig. Bis dahin gehört die Karte Ihnen.
transfer-money = Eine weitergegebene Karte können Sie nicht stornieren. Wird die Veranstaltung abgesagt, geht das Geld an den Käufer der Karten zurück.
transfer-pass = Weitergeben
transfer-show-link = Link zeigen
transfer-withdraw = Zurückziehen
transfer-withdraw-of = Zurückziehen: das Angebot für { $label }
transfer-offered-until = Angeboten bis { $date }
transfer-here = Hier ist der Link.
transfer-withdrawn = Das Angebot ist zurückgezogen.
transfer-link = Link des Angebots
transfer-copy = Link kopieren
transfer-good-until = Gültig bis { $date }, für eine Person. Senden Sie ihn sonst niemandem.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = Eine Karte für Sie
accept-ticket = Eine Karte
accept-take = Diese Karte annehmen
accept-taken = Die Karte gehört Ihnen.
accept-text = Jemand gibt diese Karte an Sie weiter. Wenn Sie sie annehmen, bekommt sie einen neuen Code, der nur Ihnen gehört. Sie zählt zu den Plätzen, die Sie bei dieser Veranstaltung haben dürfen.
accept-until = Das Angebot gilt bis { $date }.
accept-none = Keine Karte unter diesem Link
accept-own = Das ist der Link zu Ihrer eigenen Karte
accept-not-whole = Dieser Link ist nicht vollständig. Bitte fragen Sie die Person, die ihn gesendet hat.
accept-too-late = Die Frist dieses Angebots ist abgelaufen. Bitte fragen Sie die Person, die Ihnen den Link gesendet hat.

## Tickets that were passed on

held-title = { $count ->
    [one] Ihre Karte
   *[other] Ihre Karten
}
held-cancelled = Der Veranstalter hat diese Veranstaltung abgesagt, und Ihre Karte gilt nicht mehr. Das Geld geht an den Käufer zurück.
held-not-now = Die Karte gilt im Moment nicht. Bitte fragen Sie die Person, die sie Ihnen weitergegeben hat.
held-void = Ungültig: { $labels }. Bitte wenden Sie sich an den Veranstalter.
held-passed-on = Sie haben Ihre Karte weitergegeben.

## Giving back

cancel-given-back = Zurückgegeben: { $label }
cancel-fee = , Gebühr { $sum }
cancel-ended = Diese Bestellung konnte bis { $date } storniert werden.
cancel-how = Sie können bis { $date } stornieren. Die Karten sind sofort ungültig, und die Plätze werden wieder verkauft.
cancel-heading-place = Einen Platz dieser Bestellung stornieren
cancel-heading-either = Diese Bestellung oder einen ihrer Plätze stornieren
cancel-heading-order = Diese Bestellung stornieren
cancel-fee-kept = eine Gebühr von { $sum } wird einbehalten
cancel-all-left = { $count ->
    [one] Alles, was übrig ist, { $count } Karte
   *[other] Alles, was übrig ist, { $count } Karten
}
cancel-button = Stornieren, { $sum } zurück
cancel-really = Wirklich stornieren? { $sum } gehen an Sie zurück
cancel-really-fee = Wirklich stornieren? { $sum } gehen an Sie zurück; eine Gebühr von { $fee } wird einbehalten
cancel-done = { $what }: storniert.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, alle { $count } Karten
}

## Tickets that are lost

find-title = Meine Karten finden
find-how = Geben Sie die E-Mail-Adresse ein, die Sie bei der Bestellung angegeben haben. Wir senden dorthin einen Link zu Ihren Karten.
find-email = E-Mail-Adresse der Bestellung
find-send = Link senden
find-no-sign-in = Sie brauchen dafür keine Anmeldung. Wenn Sie sich wie damals anmelden können, finden Sie alles unter { $orders }.
find-sent = Bitte sehen Sie in Ihrem Postfach nach
find-sent-to = Falls mit { $email } etwas gekauft wurde, ist eine E-Mail dorthin unterwegs.
find-link = { $hours ->
    [one] Ihr Link zeigt die Bestellungen und Karten und gilt { $hours } Stunde. Nach einigen Minuten keine E-Mail? Bitte sehen Sie bei den unerwünschten E-Mails nach, und versuchen Sie Ihre anderen Adressen.
   *[other] Ihr Link zeigt die Bestellungen und Karten und gilt { $hours } Stunden. Nach einigen Minuten keine E-Mail? Bitte sehen Sie bei den unerwünschten E-Mails nach, und versuchen Sie Ihre anderen Adressen.
}
find-most = { $hours ->
    [one] An eine Adresse senden wir höchstens { $mails } E-Mails in der Stunde.
   *[other] An eine Adresse senden wir höchstens { $mails } E-Mails in { $hours } Stunden.
}
find-other = Andere Adresse versuchen

## What a mailed link opens

found-title = Ihre Bestellungen und Karten
found-bought = Gekauft mit Ihrer E-Mail-Adresse. Dieser Link gilt bis { $date }.
found-nothing = Es gibt nichts mehr zu zeigen.
found-older = Es gibt ältere Bestellungen. Bitte melden Sie sich an wie beim Kauf.
found-show = { $count ->
    [one] { $count } Karte zeigen
   *[other] { $count } Karten zeigen
}
found-passed = An andere weitergegeben: { $places }.
found-returned = Zurückgegeben: { $places }.
found-ordered = Bestellt am { $date }, Bestellung { $order }
found-ended = Dieser Link öffnet nichts
found-ended-text = Ein Link aus unserer E-Mail gilt 24 Stunden. Ihrer ist älter, oder er wurde nicht ganz kopiert.
found-ask-new = Neuen Link anfordern
