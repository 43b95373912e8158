# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Kassa: { $event }
checkout-heading = Kassa
checkout-fee-order = Kosten per bestelling
checkout-fee-ticket = { $count } × kosten per ticket
checkout-pay = { $sum } betalen
checkout-moment = Een ogenblik…
checkout-email = E-mail voor uw tickets
checkout-provider = U betaalt op de pagina van de betaaldienst. Wij zien uw kaart nooit.
checkout-accept = Ik ga akkoord met de { $terms }
checkout-terms = voorwaarden van de verkoper
checkout-terms-new = De verkoper heeft nieuwe voorwaarden. Lees ze en ga ermee akkoord.
checkout-change-seats = ← Plaatsen wijzigen

## The buyer's address

postal-heading = Uw naam en adres
postal-name = Naam
postal-street = Straat en nummer
postal-postcode = Postcode (als die er is)
postal-city = Plaats
postal-country = Land

## What has become of an order

order-title-pending = Wij wachten op uw betaling
order-text-pending = Zodra de betaaldienst het ons meldt, verschijnen hier uw tickets.
order-title-paid = Betaald. Uw tickets worden gemaakt
order-text-paid = Dit duurt enkele seconden.
order-title-ticketed = Uw tickets
order-title-failed = U hebt deze plaatsen teruggegeven
order-text-failed = Er is niets in rekening gebracht.
order-title-expired = De tijd om te betalen is om
order-text-expired = Er is niets in rekening gebracht, en uw plaatsen zijn teruggegeven.
order-title-refund-due = Uw geld gaat naar u terug
order-text-refund-due = De betaling kwam toen uw plaatsen al weg waren; ze konden niet voor u worden vastgehouden.
order-title-refunded = Uw geld is teruggestuurd
order-title-cancelled = De bestelling is geannuleerd
order-text-cancelled = De tickets zijn niet meer geldig.
order-title-disputed = Uw tickets zijn opgeschort
order-text-disputed = Uw bank heeft deze betaling teruggevraagd, dus de tickets zijn voorlopig niet geldig. Was dat een vergissing, zeg het dan uw bank: zodra die het intrekt, zijn ze weer geldig.
order-title-charged-back = Deze bestelling is voorbij
order-text-charged-back = Uw bank heeft de betaling teruggenomen, en de tickets zijn niet meer geldig. Er wordt verder niets in rekening gebracht.
order-title-declined = Uw kaart is geweigerd
order-text-declined = Uw bank heeft de kaart geweigerd. Er is niets in rekening gebracht. Uw plaatsen zijn van u tot { $time }.
order-title-card-limit = Deze kaart heeft haar grens bereikt
order-text-card-limit = Met deze kaart zijn al zoveel plaatsen gekocht als één kaart mag. Er is niets in rekening gebracht. Uw plaatsen zijn van u tot { $time }.
order-title-all-passed-on = U hebt uw tickets doorgegeven
order-text-all-passed-on = Anderen hebben ze nu, elk met een eigen code.
order-title-event-cancelled = Het evenement is afgelast
order-text-event-cancelled = De organisator heeft dit evenement afgelast. Uw tickets zijn niet meer geldig, en alles wat u betaalde gaat naar u terug.
order-title-settling = Wij zoeken uit of u hebt betaald
order-text-settling = De tijd om te betalen is om, en de betaaldienst heeft nog niet gezegd of u hebt betaald. Zo ja, dan verschijnen hier uw tickets. Zo niet, dan komen de plaatsen uiterlijk om { $time } vrij.
order-text-settling-late = De tijd om te betalen is om, en de betaaldienst heeft nog niet gezegd of u hebt betaald. Zo ja, dan krijgt u hier uw tickets, of uw geld terug als anderen de plaatsen nu hebben.
order-title-void = Uw tickets zijn ongeldig
order-text-void = De organisator heeft ze ongeldig gemaakt. Ze gelden niet meer. Neem contact op met de organisator.
order-text-void-these = Deze tickets zijn ongeldig: { $labels }. Ze gelden niet meer. Neem contact op met de organisator.
order-word-pending = Te betalen
order-word-paid = Betaald
order-word-ticketed = Tickets
order-word-failed = Teruggegeven
order-word-expired = Niet betaald
order-word-refund-due = Terugbetaling
order-word-refunded = Terugbetaald
order-word-cancelled = Geannuleerd
order-word-disputed = Opgeschort
order-word-charged-back = Voorbij
order-word-event-cancelled = Evenement afgelast
order-word-none-left = Geen ticket over
order-refunding = Het bedrag wordt terugbetaald. Banken doen er enkele dagen over. Is het geld er dan niet? Neem contact op met de kassa.
order-refund-owed = { $sum } wordt zo naar u teruggestuurd. Banken doen er enkele dagen over. Is het geld er dan niet? Neem contact op met de kassa.
order-refund-sent = { $sum } is naar u onderweg. Banken doen er enkele dagen over. Is het geld er dan niet? Neem contact op met de kassa.
order-refund-arrived = { $sum } is naar u teruggestuurd. Uw bank kan er enkele dagen over doen om het te tonen.
order-refund-attention = Uw terugbetaling van { $sum } heeft uw bank niet bereikt. De organisator weet het en zorgt ervoor; u hoeft nu niets te doen.
order-refund-handled = Uw terugbetaling van { $sum } bereikte uw bank eerst niet, en de organisator heeft ervoor gezorgd. Is ze niet gekomen? Neem contact op met de kassa.
order-title-refund-attention = De organisator zorgt voor uw terugbetaling
order-title-refund-handled = Voor uw terugbetaling is gezorgd
order-paid-twice = U hebt deze bestelling een tweede keer betaald. { $text }

## An order's page

order-heading = Bestelling
order-payment = Betaling
order-copy = Kopiëren
order-vat = incl. { $rate } % btw, { $sum }
order-postal = Naam en postadres: { $address }
order-mails-to = E-mails gaan naar { $email }.
order-places = { $count ->
    [one] { $event }, { $count } plaats
   *[other] { $event }, { $count } plaatsen
}
order-calendar = Aan agenda toevoegen
order-invoice = Factuur (PDF)
order-to-payment = Naar de betaalpagina
order-unpaid = Nog niet betaald. Is de kaart geweigerd, of kwam u terug zonder te betalen: er is niets in rekening gebracht, en u kunt het opnieuw proberen.
order-held-for = Uw plaatsen worden nog { $clock } vastgehouden.
order-change-address = Adres wijzigen
order-tickets-go-to = Tickets gaan naar { $email }
order-address-changed = Het adres is gewijzigd.
order-give-back = Plaatsen teruggeven
order-give-back-really = De plaatsen echt teruggeven?
order-too-late = De tijd om deze plaatsen te betalen is om. Hebt u toch betaald, dan toont deze pagina het.
order-paid-meanwhile = U hebt deze plaatsen net betaald: ze zijn van u.
order-no-news = Uw aanmelding is verlopen, dus deze pagina toont geen nieuws meer over uw bestelling. { $again }
order-sent-to = Verzonden naar { $email }. Het kan enkele minuten duren.
order-send-there = Tickets daarheen sturen
order-send-again = Wijzigen, of opnieuw sturen
order-sent-now = De tickets worden naar { $email } gestuurd.
order-sent-often = U hebt vandaag al meermaals tickets laten sturen. Probeer het morgen opnieuw.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Rij { $row } · Stoel { $number }
place-table = { $section } · { $row } · Tafel { $number }
place-box = { $section } · { $row } · Loge { $number }

## All orders

orders-count = { $count ->
    [one] { $count } ticket · { $sum }
   *[other] { $count } tickets · { $sum }
}
orders-goes-back = { $text } · { $sum } gaat terug
orders-sent-back = { $text } · { $sum } teruggestuurd
orders-none = U hebt met deze aanmelding niets besteld. Een bestelling verschijnt hier kort nadat ze is gedaan.
orders-older = Oudere bestellingen
orders-older-failed = De oudere bestellingen konden niet worden geladen. { $why }
orders-passed-on = Aan u doorgegeven
orders-bought = Door u gekocht
orders-ticket = Ticket
orders-word-passed-on = Doorgegeven
orders-word-void = Ongeldig

## Tickets

ticket-show = { $count ->
    [one] Toon deze code bij de ingang, op het scherm of op papier.
   *[other] Toon deze codes bij de ingang, op het scherm of op papier.
}
ticket-all-pdf = Tickets (PDF)
ticket-number = Ticket { $number } van { $total }
ticket-loading = Ticket laden…
ticket-save = Afbeelding opslaan
ticket-picture = { $name }, met zijn QR-code
ticket-offered = Aangeboden tot { $date }. Het is van u tot iemand het neemt.
ticket-not-loaded = { $name } kon niet worden geladen.
ticket-load-again = Opnieuw laden
ticket-gone = Doorgegeven: { $label }
ticket-gone-text = Iemand anders heeft dit ticket nu. De code hier is ongeldig.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Een ticket aan iemand anders doorgeven
transfer-ended = Tickets konden worden doorgegeven tot { $date }.
transfer-how = Dat kan tot { $date }. U krijgt een link die hooguit 48 uur geldt. Wie hem opent en zich aanmeldt, heeft het ticket met een nieuwe code, en dat van u is ongeldig. Tot dan blijft het ticket van u.
transfer-money = U kunt een doorgegeven ticket niet annuleren. Wordt het evenement afgelast, dan gaat het geld terug naar de koper van de tickets.
transfer-pass = Doorgeven
transfer-show-link = Link tonen
transfer-withdraw = Intrekken
transfer-withdraw-of = Intrekken: het aanbod voor { $label }
transfer-offered-until = Aangeboden tot { $date }
transfer-here = Hier is de link.
transfer-withdrawn = Het aanbod is ingetrokken.
transfer-link = Link van het aanbod
transfer-copy = Link kopiëren
transfer-good-until = Geldig tot { $date }, voor één persoon. Stuur hem aan niemand anders.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = Een ticket voor u
accept-ticket = Een ticket
accept-take = Dit ticket nemen
accept-taken = Het ticket is van u.
accept-text = Iemand geeft dit ticket aan u door. Als u het neemt, heeft het een nieuwe code die alleen van u is. Het telt als een van de plaatsen die u bij dit evenement mag hebben.
accept-until = Het aanbod geldt tot { $date }.
accept-none = Geen ticket bij deze link
accept-own = Dit is de link naar uw eigen ticket
accept-not-whole = Deze link is niet volledig. Vraag het de persoon die hem stuurde.
accept-too-late = De tijd van dit aanbod is om. Vraag het de persoon die u de link stuurde.

## Tickets that were passed on

held-title = { $count ->
    [one] Uw ticket
   *[other] Uw tickets
}
held-cancelled = De organisator heeft dit evenement afgelast, en uw ticket is niet meer geldig. Het geld gaat terug naar de koper.
held-not-now = Het ticket is nu niet geldig. Vraag het de persoon die het aan u doorgaf.
held-void = Ongeldig: { $labels }. Neem contact op met de organisator.
held-passed-on = U hebt uw ticket doorgegeven.

## Giving back

cancel-given-back = Teruggegeven: { $label }
cancel-fee = , kosten { $sum }
cancel-ended = Deze bestelling kon worden geannuleerd tot { $date }.
cancel-how = U kunt annuleren tot { $date }. De tickets zijn meteen ongeldig, en de plaatsen worden weer verkocht.
cancel-heading-place = Een plaats van deze bestelling annuleren
cancel-heading-either = Deze bestelling of een van haar plaatsen annuleren
cancel-heading-order = Deze bestelling annuleren
cancel-fee-kept = { $sum } aan kosten wordt ingehouden
cancel-all-left = { $count ->
    [one] Alles wat over is, { $count } ticket
   *[other] Alles wat over is, { $count } tickets
}
cancel-button = Annuleren, { $sum } terug
cancel-really = Echt annuleren? { $sum } gaat naar u terug
cancel-really-fee = Echt annuleren? { $sum } gaat naar u terug; { $fee } aan kosten wordt ingehouden
cancel-done = { $what }: geannuleerd.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, alle { $count } tickets
}

## Tickets that are lost

find-title = Mijn tickets terugvinden
find-how = Typ het e-mailadres dat u bij de bestelling gaf. Wij sturen daar een link naar uw tickets heen.
find-email = E-mail van de bestelling
find-send = Stuur mij de link
find-no-sign-in = U hoeft zich niet aan te melden. Kunt u zich aanmelden zoals toen, dan vindt u alles onder { $orders }.
find-sent = Kijk in uw mailbox
find-sent-to = Als er met { $email } iets is gekocht, is er een e-mail naar onderweg.
find-link = { $hours ->
    [one] De link toont de bestellingen en tickets en werkt { $hours } uur. Na enkele minuten geen e-mail? Kijk bij de ongewenste e-mail, en probeer uw andere adressen.
   *[other] De link toont de bestellingen en tickets en werkt { $hours } uur. Na enkele minuten geen e-mail? Kijk bij de ongewenste e-mail, en probeer uw andere adressen.
}
find-most = { $hours ->
    [one] Naar één adres gaan hooguit { $mails } e-mails per uur.
   *[other] Naar één adres gaan hooguit { $mails } e-mails in { $hours } uur.
}
find-other = Een ander adres proberen

## What a mailed link opens

found-title = Uw bestellingen en tickets
found-bought = Gekocht met uw e-mailadres. Deze link werkt tot { $date }.
found-nothing = Er is niets meer te tonen.
found-older = Er zijn oudere bestellingen. Meld u aan zoals toen u ze kocht.
found-show = { $count ->
    [one] { $count } ticket tonen
   *[other] { $count } tickets tonen
}
found-passed = Aan anderen doorgegeven: { $places }.
found-returned = Teruggegeven: { $places }.
found-ordered = Besteld op { $date }, bestelling { $order }
found-ended = Deze link opent niets
found-ended-text = Een link uit onze e-mail werkt 24 uur. Die van u is ouder, of niet helemaal gekopieerd.
found-ask-new = Een nieuwe link vragen
