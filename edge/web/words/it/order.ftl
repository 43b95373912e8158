# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Pagamento: { $event }
checkout-heading = Pagamento
checkout-fee-order = Commissione per ordine
checkout-fee-ticket = { $count } × commissione per biglietto
checkout-pay = Paga { $sum }
checkout-moment = Un momento…
checkout-email = E-mail per i tuoi biglietti
checkout-provider = Paghi sulla pagina del servizio di pagamento. Non vediamo mai la tua carta.
checkout-accept = Accetto le { $terms }
checkout-terms = condizioni del venditore
checkout-terms-new = Il venditore ha nuove condizioni. Leggile e accettale.
checkout-change-seats = ← Cambia posti

## The buyer's address

postal-heading = Il tuo nome e indirizzo
postal-name = Nome
postal-street = Via e numero
postal-postcode = Codice postale (se c'è)
postal-city = Città
postal-country = Paese

## What has become of an order

order-title-pending = In attesa del tuo pagamento
order-text-pending = Appena il servizio di pagamento ce lo comunica, i tuoi biglietti appaiono qui.
order-title-paid = Pagato. I tuoi biglietti sono in preparazione
order-text-paid = Ci vogliono alcuni secondi.
order-title-ticketed = I tuoi biglietti
order-title-failed = Hai restituito questi posti
order-text-failed = Non è stato addebitato nulla.
order-title-expired = Il tempo per pagare è finito
order-text-expired = Non è stato addebitato nulla e i tuoi posti sono stati restituiti.
order-title-refund-due = Il tuo denaro torna a te
order-text-refund-due = Il pagamento è arrivato quando i tuoi posti non c'erano più, quindi non si sono potuti tenere per te.
order-title-refunded = Il tuo denaro è stato rimborsato
order-title-cancelled = L'ordine è stato annullato
order-text-cancelled = I biglietti non sono più validi.
order-title-disputed = I tuoi biglietti sono sospesi
order-text-disputed = La tua banca ha richiesto indietro questo pagamento, quindi per ora i biglietti non sono validi. Se è stato un errore, dillo alla tua banca: quando lo ritira, tornano validi.
order-title-charged-back = Questo ordine è finito
order-text-charged-back = La tua banca ha ripreso il pagamento e i biglietti non sono più validi. Non si addebita altro.
order-title-declined = La tua carta è stata rifiutata
order-text-declined = La tua banca ha rifiutato la carta. Non è stato addebitato nulla. I tuoi posti sono tuoi fino alle { $time }.
order-title-card-limit = Questa carta ha raggiunto il suo limite
order-text-card-limit = Con questa carta sono già stati acquistati tanti posti quanti una carta può. Non è stato addebitato nulla. I tuoi posti sono tuoi fino alle { $time }.
order-title-all-passed-on = Hai passato i tuoi biglietti
order-text-all-passed-on = Ora li hanno altri, ognuno con un proprio codice.
order-title-event-cancelled = L'evento è annullato
order-text-event-cancelled = L'organizzatore ha annullato questo evento. I tuoi biglietti non sono più validi e tutto ciò che hai pagato torna a te.
order-title-settling = Verifichiamo se hai pagato
order-text-settling = Il tempo per pagare è finito e il servizio di pagamento non ha ancora detto se hai pagato. Se sì, i tuoi biglietti appaiono qui. Se no, i posti tornano liberi al più tardi alle { $time }.
order-text-settling-late = Il tempo per pagare è finito e il servizio di pagamento non ha ancora detto se hai pagato. Se sì, ricevi qui i tuoi biglietti, o il tuo denaro se ormai altri hanno i posti.
order-title-void = I tuoi biglietti sono annullati
order-text-void = L'organizzatore li ha annullati. Non sono più validi. Contatta l'organizzatore.
order-text-void-these = Questi biglietti sono annullati: { $labels }. Non sono più validi. Contatta l'organizzatore.
order-word-pending = Da pagare
order-word-paid = Pagato
order-word-ticketed = Biglietti
order-word-failed = Restituito
order-word-expired = Non pagato
order-word-refund-due = Rimborso
order-word-refunded = Rimborsato
order-word-cancelled = Annullato
order-word-disputed = Sospeso
order-word-charged-back = Finito
order-word-event-cancelled = Evento annullato
order-word-none-left = Nessun biglietto
order-refunding = Il rimborso è in corso. Le banche impiegano alcuni giorni. Il denaro non è arrivato entro allora? Contatta la biglietteria.
order-refund-owed = { $sum } stanno per esserti rimborsati. Le banche impiegano alcuni giorni. Il denaro non è arrivato entro allora? Contatta la biglietteria.
order-refund-sent = { $sum } sono in arrivo. Le banche impiegano alcuni giorni. Il denaro non è arrivato entro allora? Contatta la biglietteria.
order-refund-arrived = { $sum } ti sono stati rimborsati. La tua banca può impiegare alcuni giorni a mostrarlo.
order-refund-attention = Il tuo rimborso di { $sum } non è arrivato alla tua banca. L'organizzatore lo sa e se ne occupa; ora non devi fare nulla.
order-refund-handled = Il tuo rimborso di { $sum } all'inizio non era arrivato alla tua banca e l'organizzatore se ne è occupato. Non è arrivato? Contatta la biglietteria.
order-title-refund-attention = L'organizzatore si occupa del tuo rimborso
order-title-refund-handled = Il tuo rimborso è stato gestito
order-paid-twice = Hai pagato questo ordine una seconda volta. { $text }

## An order's page

order-heading = Ordine
order-payment = Pagamento
order-copy = Copia
order-vat = incl. { $rate } % IVA, { $sum }
order-postal = Nome e indirizzo postale: { $address }
order-mails-to = Le e-mail vanno a { $email }.
order-places = { $count ->
    [one] { $event }, { $count } posto
   *[other] { $event }, { $count } posti
}
order-calendar = Aggiungi al calendario
order-invoice = Fattura (PDF)
order-to-payment = Vai alla pagina di pagamento
order-unpaid = Non ancora pagato. Se la carta è stata rifiutata o sei tornato senza pagare: non è stato addebitato nulla e puoi riprovare.
order-held-for = I tuoi posti sono riservati ancora per { $clock }.
order-change-address = Cambia l'indirizzo
order-tickets-go-to = I biglietti vanno a { $email }
order-address-changed = L'indirizzo è cambiato.
order-give-back = Restituisci i posti
order-give-back-really = Restituire davvero i posti?
order-too-late = Il tempo per pagare questi posti è finito. Se hai pagato comunque, questa pagina lo mostra.
order-paid-meanwhile = Hai appena pagato questi posti: sono tuoi.
order-no-news = Il tuo accesso è scaduto, quindi questa pagina non mostra più novità sul tuo ordine. { $again }
order-sent-to = Inviato a { $email }. Può richiedere alcuni minuti.
order-send-there = Invia lì i biglietti
order-send-again = Cambialo o inviali di nuovo
order-sent-now = I biglietti vengono inviati a { $email }.
order-sent-often = Oggi hai fatto inviare biglietti più volte. Riprova domani.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Fila { $row } · Posto { $number }
place-table = { $section } · { $row } · Tavolo { $number }
place-box = { $section } · { $row } · Palco { $number }

## All orders

orders-count = { $count ->
    [one] { $count } biglietto · { $sum }
   *[other] { $count } biglietti · { $sum }
}
orders-goes-back = { $text } · { $sum } tornano
orders-sent-back = { $text } · { $sum } rimborsati
orders-none = Con questo accesso non hai ordinato nulla. Un ordine appare qui pochi istanti dopo essere stato fatto.
orders-older = Ordini precedenti
orders-older-failed = Non è stato possibile caricare gli ordini precedenti. { $why }
orders-passed-on = Passati a te
orders-bought = Acquistati da te
orders-ticket = Biglietto
orders-word-passed-on = Passato
orders-word-void = Annullato

## Tickets

ticket-show = { $count ->
    [one] Mostra questo codice all'ingresso, sullo schermo o su carta.
   *[other] Mostra questi codici all'ingresso, sullo schermo o su carta.
}
ticket-all-pdf = Biglietti (PDF)
ticket-number = Biglietto { $number } di { $total }
ticket-loading = Caricamento del biglietto…
ticket-save = Salva immagine
ticket-picture = { $name }, con il suo codice QR
ticket-offered = Offerto fino al { $date }. È tuo finché qualcuno non lo prende.
ticket-not-loaded = Non è stato possibile caricare: { $name }.
ticket-load-again = Carica di nuovo
ticket-gone = Passato: { $label }
ticket-gone-text = Ora qualcun altro ha questo biglietto. Il suo codice qui non è più valido.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Passa un biglietto a qualcun altro
transfer-ended = I biglietti si potevano passare fino al { $date }.
transfer-how = Puoi farlo fino al { $date }. Ricevi un link, valido al massimo 48 ore. Chi lo apre e accede ha il biglietto, con un nuovo codice, e il tuo non è più valido. Fino ad allora il biglietto resta tuo.
transfer-money = Non puoi annullare un biglietto che hai passato. Se l'evento viene annullato, il denaro torna a chi ha acquistato i biglietti.
transfer-pass = Passa
transfer-show-link = Mostra il link
transfer-withdraw = Ritira
transfer-withdraw-of = Ritira l'offerta: { $label }
transfer-offered-until = Offerto fino al { $date }
transfer-here = Ecco il link.
transfer-withdrawn = L'offerta è ritirata.
transfer-link = Link dell'offerta
transfer-copy = Copia il link
transfer-good-until = Valido fino al { $date }, per una persona. Non inviarlo a nessun altro.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = Un biglietto per te
accept-ticket = Un biglietto
accept-take = Prendi questo biglietto
accept-taken = Il biglietto è tuo.
accept-text = Qualcuno ti passa questo biglietto. Quando lo prendi, ha un nuovo codice, solo tuo. Conta tra i posti che puoi avere a questo evento.
accept-until = L'offerta vale fino al { $date }.
accept-none = Nessun biglietto con questo link
accept-own = Questo è il link al tuo biglietto
accept-not-whole = Questo link non è completo. Chiedi alla persona che te lo ha inviato.
accept-too-late = Il tempo di questa offerta è finito. Chiedi alla persona che ti ha inviato il link.

## Tickets that were passed on

held-title = { $count ->
    [one] Il tuo biglietto
   *[other] I tuoi biglietti
}
held-cancelled = L'organizzatore ha annullato questo evento e il tuo biglietto non è più valido. Il denaro torna a chi lo ha acquistato.
held-not-now = Il biglietto ora non è valido. Chiedi alla persona che te lo ha passato.
held-void = Annullato: { $labels }. Contatta l'organizzatore.
held-passed-on = Hai passato il tuo biglietto.

## Giving back

cancel-given-back = Restituito: { $label }
cancel-fee = , commissione { $sum }
cancel-ended = Questo ordine si poteva annullare fino al { $date }.
cancel-how = Puoi annullare fino al { $date }. I biglietti non sono più validi da subito e i posti tornano in vendita.
cancel-heading-place = Annulla un posto di questo ordine
cancel-heading-either = Annulla questo ordine o uno dei suoi posti
cancel-heading-order = Annulla questo ordine
cancel-fee-kept = si trattiene una commissione di { $sum }
cancel-all-left = { $count ->
    [one] Tutto ciò che resta, { $count } biglietto
   *[other] Tutto ciò che resta, { $count } biglietti
}
cancel-button = Annulla, { $sum } indietro
cancel-really = Annullare davvero? { $sum } tornano a te
cancel-really-fee = Annullare davvero? { $sum } tornano a te; si trattiene una commissione di { $fee }
cancel-done = { $what }: annullato.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, tutti i { $count } biglietti
}

## Tickets that are lost

find-title = Ritrova i miei biglietti
find-how = Scrivi l'e-mail che hai dato per l'ordine. Inviamo lì un link ai tuoi biglietti.
find-email = E-mail dell'ordine
find-send = Inviami il link
find-no-sign-in = Non serve accedere. Se puoi accedere come prima, trovi tutto in { $orders }.
find-sent = Guarda nella tua posta
find-sent-to = Se è stato acquistato qualcosa con { $email }, un'e-mail è in arrivo.
find-link = { $hours ->
    [one] Il suo link mostra gli ordini e i biglietti e vale { $hours } ora. Nessuna e-mail dopo alcuni minuti? Guarda nella posta indesiderata e prova i tuoi altri indirizzi.
   *[other] Il suo link mostra gli ordini e i biglietti e vale { $hours } ore. Nessuna e-mail dopo alcuni minuti? Guarda nella posta indesiderata e prova i tuoi altri indirizzi.
}
find-most = { $hours ->
    [one] A un indirizzo si inviano al massimo { $mails } e-mail all'ora.
   *[other] A un indirizzo si inviano al massimo { $mails } e-mail in { $hours } ore.
}
find-other = Prova un altro indirizzo

## What a mailed link opens

found-title = I tuoi ordini e biglietti
found-bought = Acquistati con la tua e-mail. Questo link vale fino al { $date }.
found-nothing = Non c'è più nulla da mostrare.
found-older = Ci sono ordini precedenti. Accedi come quando li hai acquistati.
found-show = { $count ->
    [one] Mostra { $count } biglietto
   *[other] Mostra { $count } biglietti
}
found-passed = Passati ad altri: { $places }.
found-returned = Restituiti: { $places }.
found-ordered = Ordinato il { $date }, ordine { $order }
found-ended = Questo link non apre nulla
found-ended-text = Un link della nostra e-mail vale 24 ore. Il tuo è più vecchio o non è stato copiato per intero.
found-ask-new = Chiedi un nuovo link
