# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = tra un momento
soon-seconds = { $count ->
    [one] tra { $count } secondo
   *[other] tra { $count } secondi
}
soon-minutes = { $count ->
    [one] tra circa { $count } minuto
   *[other] tra circa { $count } minuti
}
estimate-under-seconds = { $count ->
    [one] meno di { $count } secondo
   *[other] meno di { $count } secondi
}
estimate-under-minutes = { $count ->
    [one] meno di { $count } minuto
   *[other] meno di { $count } minuti
}
estimate-under-hours = { $count ->
    [one] meno di { $count } ora
   *[other] meno di { $count } ore
}
estimate-about-seconds = { $count ->
    [one] circa { $from }–{ $count } secondi
   *[other] circa { $from }–{ $count } secondi
}
estimate-about-minutes = { $count ->
    [one] circa { $from }–{ $count } minuti
   *[other] circa { $from }–{ $count } minuti
}
estimate-about-hours = { $count ->
    [one] circa { $from }–{ $count } ore
   *[other] circa { $from }–{ $count } ore
}
estimate-over-seconds = { $count ->
    [one] più di { $count } secondo
   *[other] più di { $count } secondi
}
estimate-over-minutes = { $count ->
    [one] più di { $count } minuto
   *[other] più di { $count } minuti
}
estimate-over-hours = { $count ->
    [one] più di { $count } ora
   *[other] più di { $count } ore
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, raramente più di { $count } secondo
   *[other] { $about }, raramente più di { $count } secondi
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, raramente più di { $count } minuto
   *[other] { $about }, raramente più di { $count } minuti
}
estimate-rarely-hours = { $count ->
    [one] { $about }, raramente più di { $count } ora
   *[other] { $about }, raramente più di { $count } ore
}

## News of the sale, for those who wait

news-paused = L'organizzatore ha messo in pausa la vendita. Il tuo posto in coda resta tuo.
news-none-free = In questo momento nulla è libero. Possono tornare posti da altri carrelli, e il tuo posto in coda resta tuo finché tutto è venduto.
news-few-left = { $count ->
    [one] Ne resta poco: { $count } posto. Può finire prima che tu entri.
   *[other] Ne restano pochi: { $count } posti. Possono finire prima che tu entri.
}

## Being called, and the turn to pay

call-me = Chiamami quando è il mio turno
call-sound = Ti chiamiamo con un suono
call-sound-and-note = Ti chiamiamo con un suono e una notifica
turn-busy = Molti stanno pagando in questo momento.
turn-away = Il servizio di pagamento ora non risponde.
turn-opens = { $why } I tuoi posti restano riservati. Il pagamento apre tra { $clock }.
turn-kept = { $why } I tuoi posti restano riservati.
turn-goes-on = Questa pagina prosegue da sola: lasciala aperta.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = Questo accesso non è iniziato in questa finestra, o era già concluso. Per la tua sicurezza non vale. Accedi qui.
problem-sign-in-declined = L'accesso è stato annullato. Puoi guardare anche senza; per i biglietti dobbiamo sapere chi sei.
problem-sign-in-failed = Il servizio di accesso non è riuscito a concludere. Nulla è perso; riprova.
problem-sign-in-refused = Questo accesso ha richiesto troppo tempo, o era già stato usato. Accedi di nuovo.
problem-sign-in-unavailable = Ora non è possibile accedere. Nulla è perso; riprova tra un momento.
problem-nothing-kept = Il tuo browser non conserva nulla per questo sito, quindi al ritorno dall'accesso non ti riconosceremmo. Consenti i cookie e i dati di questo sito, oppure aprilo in un'altra finestra o in un altro browser.
problem-forbidden = Questo appartiene a qualcun altro.
problem-not-eligible = Questa vendita non è aperta al tuo account.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Il tuo account è troppo recente per questa vendita.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = Non puoi ancora entrare.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Da questo account sono arrivate troppe richieste insolite, quindi deve riposare un po'.
problem-malformed-input-email = Non si possono inviare e-mail a questo indirizzo. Controllalo.
problem-malformed-input-postal_address = L'organizzatore ha appena cambiato i dati che chiede. Controlla nome e indirizzo.
problem-malformed-input-postal_address-part = Questo dato manca, è troppo lungo o ha un carattere che non si può stampare.
problem-malformed-input-terms = Accetta prima le condizioni del venditore.
problem-seats-taken = Qualcuno è stato più veloce: uno di questi posti è appena stato preso.
problem-single-seat = Così resterebbe un posto isolato. Spostati di uno.
problem-no-seats-found = Nessun posto corrisponde a questo desiderio. Prova con meno posti, un altro prezzo o un altro settore.
problem-possible-together = Posti vicini liberi: { $what }.
problem-possible-whole = Libero: un tavolo o un palco per { $what }.
problem-possible-section = Ci sono posti nel settore { $what }.
problem-possible-area = Ci sono posti non numerati in { $what }.
problem-wrong-state = Questo non si può più fare.
problem-wrong-state-not-sold = Questo ordine non è stato pagato, quindi non c'è fattura.
problem-wrong-state-no-seller = L'organizzatore non emette fatture per questo evento.
problem-wrong-state-not-yet = La fattura viene emessa pochi minuti dopo la fine del tempo per pagare. Riprova allora.
problem-wrong-state-no-mail = Qui non vengono inviate e-mail, quindi i biglietti non si possono trovare per e-mail. Accedi come quando li hai acquistati o contatta la biglietteria.
problem-wrong-state-being-made = I tuoi biglietti sono in preparazione. Riprova tra un momento.
problem-wrong-state-event-cancelled = L'organizzatore ha annullato questo evento. Tutto ciò che è stato pagato torna automaticamente a chi ha acquistato.
problem-wrong-state-void = I biglietti non validi non si possono annullare né passare ad altri. Contatta l'organizzatore.
problem-wrong-state-never = L'organizzatore non lo offre per questi biglietti.
problem-wrong-state-too-late = Il tempo per farlo è finito.
problem-wrong-state-withdrawn = Questa offerta è stata ritirata. Chi passa il biglietto può inviare un nuovo link.
problem-wrong-state-own = Questo è il tuo biglietto. Invia il link alla persona che deve averlo.
problem-wrong-state-accepted = Questo biglietto è già stato accettato e ora non è tuo.
problem-wrong-state-too-often = Questo biglietto è stato passato tutte le volte consentite. Resta a te.
problem-wrong-state-passed-on = Un biglietto è stato passato e il suo posto non è più tuo.
problem-version-conflict = Nel frattempo qualcosa è cambiato. Riprova.
problem-hold-expired = Il tempo per questi posti è scaduto e sono stati restituiti.
problem-session-expired = Il tuo tempo per scegliere è finito e i tuoi posti sono stati restituiti.
problem-sale-over = La vendita è finita.
problem-payment-waits = Molti stanno pagando in questo momento. I tuoi posti restano riservati; riprova tra un momento.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } I tuoi posti restano riservati; riprova tra un momento.
problem-payment-refused = Questo ordine non si può più pagare.
problem-payment-refused-already-refunded = Questo pagamento è già stato rimborsato.
problem-payment-refused-disputed = La tua banca sta riprendendo questo pagamento, quindi non si può rimborsare qui.
problem-payment-refused-failed = Il rimborso è stato inviato e la banca lo ha respinto. Contatta la biglietteria.
problem-payment-refused-invalid = Il servizio di pagamento non lo accetta. Contatta la biglietteria.
problem-payment-refused-too-late = Il tempo per pagare questo ordine è finito.
problem-payment-refused-too-old = Questo pagamento è troppo vecchio per essere rimborsato sulla carta. Contatta la biglietteria.
problem-payment-refused-unknown-payment = Il servizio di pagamento non conosce questo pagamento. Contatta la biglietteria.
problem-idempotency-mismatch = Questa richiesta è già stata fatta in un'altra forma. Ricarica la pagina.
problem-limit-exceeded = È più di quanto un cliente può avere.
problem-limit-exceeded-address = Sono più posti di quanti può averne uno stesso indirizzo postale.
problem-limit-is = { $text } Il limite è { $limit }.
problem-until = { $text } I tuoi posti restano tuoi al massimo fino alle { $time }.
problem-dependency-unavailable-settling = Non si sa ancora se questi posti sono stati pagati.
problem-too-early = Era un po' presto. La pagina riprova da sola.
problem-link-ended = Questo link non apre nulla. Un link vale 24 ore: chiedine uno nuovo.
problem-waiting-token-ended = È stato necessario darti un nuovo posto. Il sorteggio è lo stesso.

## Small parts

part-copied = Copiato
part-copy-yourself = Copialo tu stesso
part-close-notice = Chiudi questo avviso

## A page that needs a sign-in

sign-in-again = Accedi di nuovo
sign-in-failed = Non hai effettuato l'accesso
sign-in-heading = Accedi
sign-in-heading-again = Accedi di nuovo
sign-in-why-wait = Ogni persona ha un solo posto nella sala d'attesa, quindi dobbiamo sapere chi sei.
sign-in-why-theirs = Ordini e biglietti si mostrano solo a chi appartengono, quindi dobbiamo sapere chi sei.
sign-in-why-accept = Qualcuno ti passa un biglietto. Accedi per vederlo e prenderlo: da allora sarà in «I miei ordini». Non si addebita nulla.
sign-in-why-ended = Il tuo accesso è scaduto. Questo da solo non ti costa nulla: il tuo posto nella sala d'attesa e i posti che hai prenotato restano tuoi fino alla fine del loro tempo. Accedi con lo stesso account.
sign-in-lost-tickets = Hai perso i biglietti? { $link }.
sign-in-lost-tickets-link = Ritrovali via e-mail

## Whom a sale is open to

account-members-until = Fino al { $date }, solo i membri possono acquistare biglietti ({ $names }). Poi la vendita si apre a tutti.
account-members = Solo i membri possono acquistare biglietti ({ $names }).
account-phone = Il tuo account deve avere un numero di telefono verificato.
account-days = { $count ->
    [one] Il tuo account deve avere almeno { $count } giorno.
   *[other] Il tuo account deve avere almeno { $count } giorni.
}
account-address-limit = { $count ->
    [one] Un indirizzo postale può avere al massimo { $count } posto in tutti gli ordini.
   *[other] Un indirizzo postale può avere al massimo { $count } posti in tutti gli ordini.
}
account-card-limit = { $count ->
    [one] Una carta può pagare al massimo { $count } posto in tutti gli ordini.
   *[other] Una carta può pagare al massimo { $count } posti in tutti gli ordini.
}
account-no-phone = Il tuo account non ha un numero di telefono verificato, quindi non puoi acquistare biglietti per questo evento. Verifica il numero dove accedi, poi esci qui e accedi di nuovo.
account-too-young = { $count ->
    [one] Gli account per questo evento devono avere almeno { $count } giorno. Il tuo è stato creato il { $since }, quindi non puoi acquistare biglietti.
   *[other] Gli account per questo evento devono avere almeno { $count } giorni. Il tuo è stato creato il { $since }, quindi non puoi acquistare biglietti.
}
account-age-unknown = { $count ->
    [one] Gli account per questo evento devono avere almeno { $count } giorno, e il tuo accesso non dice quanto ha il tuo. Quindi non puoi acquistare biglietti per questo evento.
   *[other] Gli account per questo evento devono avere almeno { $count } giorni, e il tuo accesso non dice quanti ne ha il tuo. Quindi non puoi acquistare biglietti per questo evento.
}
account-no-member-yet = Il tuo account non è membro. Torna { $date }: arrivare prima non dà vantaggi.
account-no-member = Il tuo account non è membro, quindi non puoi acquistare biglietti per questo evento.

## The waiting room

wait-title = Sala d'attesa: { $event }
wait-heading-joining = Stai prendendo posto…
wait-heading-elsewhere = Un'altra finestra tiene il tuo posto
wait-heading-solving = Un breve controllo del tuo browser…
wait-heading-waiting = Sei nella sala d'attesa
wait-heading-prequeue = Sei in anticipo, e il tuo posto è al sicuro
wait-heading-asking = Chiediamo se puoi entrare…
wait-heading-paused = La vendita è in pausa
wait-heading-full = Sei quasi dentro
wait-heading-settling = Il tuo ultimo ordine è in chiusura
wait-heading-locked = Non puoi ancora entrare
wait-heading-busy = Il servizio è molto occupato
wait-heading-offline = La connessione è persa
wait-heading-strange = Qualcosa in questa rete risponde al nostro posto
wait-heading-stripped = Qualcosa in questa rete toglie una parte di ciò che questa pagina invia
wait-text-joining = Un momento.
wait-text-elsewhere = Continua lì. Questa finestra subentra da sola quando l'altra viene chiusa.
wait-text-solving = Il tuo dispositivo fa un piccolo lavoro, così nessuno può mandare migliaia di robot.
wait-text-waiting = I posti si estraggono in modo equo, e più attendi, maggiore è la tua possibilità. Ti facciamo entrare automaticamente.
wait-text-prequeue = Tutti quelli che sono qui all'inizio della vendita hanno la stessa possibilità: essere primi non dà vantaggi.
wait-text-asking = Un momento.
wait-text-paused = L'organizzatore ha fermato la coda per un momento. Il tuo posto resta tuo e la coda riprende da sola.
wait-text-full = In questo momento tutti i posti dentro sono occupati. Si liberano nell'ordine del sorteggio, quindi chiedere prima non aiuta nessuno.
wait-text-settling = Il tuo posto resta tuo e la pagina riprova da sola.
wait-text-locked = Il tuo posto resta tuo e la pagina riprova da sola.
wait-text-busy = Il tuo posto è al sicuro. La pagina riprova da sola.
wait-text-offline = Il tuo posto è al sicuro su questo dispositivo. La pagina prosegue quando torna la connessione.
wait-text-strange = Continuiamo a provare; il tuo posto è al sicuro. Se questa rete chiede un accesso, apri la sua pagina; altrimenti aiuta un'altra rete, come quella del telefono.
wait-text-stripped = Senza quella parte non possiamo conoscere il tuo posto. Continuiamo a provare; il tuo posto è al sicuro. Di solito aiuta un'altra rete, come quella del telefono.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Il tuo posto è scaduto mentre questa pagina dormiva, quindi ne hai uno nuovo: attendi da ora.
wait-noticed = Da questo account sono arrivate richieste insolite, quindi il tuo browser fa un controllo più lungo.
wait-hint-open = Lascia aperta questa pagina. Puoi ricaricarla o bloccare lo schermo per qualche minuto: il tuo posto resta tuo.
wait-hint-windows = Aggiornare, aprire altre finestre o avere una linea più veloce non aiuta nessuno.
wait-leave = Lascia la sala d'attesa
wait-really-leave = Lasciare davvero? Il tuo posto va perso
wait-starts-in = La vendita inizia tra
wait-fact-estimate = La tua attesa da ora
wait-fact-unknown = non ancora nota
wait-fact-starts = La vendita inizia
wait-fact-since = Attendi da
wait-fact-next = Prossimo controllo
wait-fact-now = ora
wait-turn = È il tuo turno
wait-you-are-in = Sei dentro fino alle { $until }. Scegli i tuoi posti.
in-title = Sei dentro: { $event }
in-heading = Sei dentro
in-since = Sei dentro dalle { $from }. Il tuo tempo per scegliere scorre e finisce alle { $until }.
in-until = Il tuo tempo per scegliere scorre e finisce alle { $until }.
in-choose = Scegli i posti
in-steps = Che cosa fare
in-step-choose = Scegli un settore sulla mappa o lascia che troviamo i posti migliori: fino a { $limit } alla volta.
in-step-hold = Riserva i tuoi posti. Ciò che è solo scelto è ancora libero per gli altri.
in-step-pay = Vai al pagamento prima che il tempo finisca. Tempo per pagare dopo: { $time }.
in-ends = Quando il tempo finisce, i posti riservati tornano agli altri.
wait-room-full = La sala d'attesa è piena
wait-room-full-text = Non viene accolto nessun altro. Chi attende già viene ancora ammesso. Ci dispiace che questa volta tu sia arrivato tardi.
wait-sale-over = La vendita è finita
wait-sold-out = Esaurito
wait-sold-out-text = Ogni posto ha trovato qualcuno. Ci dispiace che questa volta non sia toccato a te; il sorteggio era equo.
wait-closed-text = La vendita è terminata. Grazie per l'attesa.
wait-break-open = Usa una sola finestra e non aggiornare; la pagina chiede da sola.
wait-lock-ends = Finisce tra
wait-lock-person = Lo ha deciso una persona dell'organizzatore. Il motivo: { $reason }
wait-appeal-text = Che cosa deve sapere questa persona? (facoltativo)
wait-appeal-ask = Chiedi a una persona di controllare
wait-appealed = È stato chiesto a una persona di controllare. Se ti fa entrare, questa pagina prosegue subito; altrimenti prosegue allo scadere del tempo. Non devi fare altro.
wait-used-up = Non puoi entrare di nuovo
wait-used-up-text = Hai usato tutte le tue sessioni per questo evento e attenderesti invano.
wait-not-eligible = Questa vendita non è aperta al tuo account
wait-trying-again = Riproviamo da soli.
room-as-of = Posti liberi alle { $time }.
ready-title = Tieni pronto
ready-sign-in = Hai effettuato l'accesso. Per questo non serve altro.
ready-pay = Una carta o un portafoglio per pagare, e l'app con cui la tua banca chiede conferma.
ready-address = Il tuo indirizzo postale: viene chiesto al pagamento.
ready-wishes = Quanto vuoi pagare, e altre due scelte.
ready-limit = Posti per account: fino a { $limit }.
ready-times = Tempo per scegliere: { $choose }. Tempo per pagare dopo: { $pay }.

## The end of a session

session-time-over = Il tuo tempo per scegliere è finito e i tuoi posti sono stati restituiti, così altri possono averli.
session-none = Qui non c'è una sessione aperta per te. Se il tuo tempo è finito, i tuoi posti sono stati restituiti.
session-ended = Questa sessione è terminata.
session-over = La tua sessione è finita
session-ordered = Hai ordinato
session-ordered-text = Il tuo ordine per questo evento è al sicuro. Ora non hai una sessione aperta per esso.

## The sale

sale-title = Scegli i posti: { $event }
sale-time = Tempo rimasto
sale-time-left = ancora { $time }
sale-one-minute = Resta un minuto.
sale-to-venue = Torna a tutta la mappa
sale-show-list = Mostra come elenco
sale-show-map = Mostra la mappa
sale-seat-taken = { $seat } è occupato.
sale-seat-mine = { $seat } è già riservato per te.
sale-seat-chosen = { $seat } scelto
sale-seat-unchosen = { $seat } non è più scelto
sale-limit = Un cliente può riservare fino a { $limit } posti. Restituiscine uno per sceglierne un altro.
sale-limit-held = { $count ->
    [one] Un cliente può riservare fino a { $limit } posti, e { $count } è già riservato.
   *[other] Un cliente può riservare fino a { $limit } posti, e { $count } sono già riservati.
}
sale-held = Riservato per te: { $seats }.
sale-given-back = Restituito.
sale-faster = { $count ->
    [one] Qualcuno è stato più veloce: { $seats } è occupato.
   *[other] Qualcuno è stato più veloce: { $seats } sono occupati.
}
sale-faster-others = Gli altri restano scelti e non sono ancora riservati.
sale-faster-choose = Scegline un altro.
sale-being-taken = Qualcun altro sta prendendo { $seats } in questo momento. Se non lo fa, tra pochi secondi è di nuovo libero.
sale-just-taken = Appena preso da qualcun altro: { $seats }.
sale-outdated = La mappa in questo momento non è aggiornata. I posti che hai riservato sono al sicuro.
sale-seats = { $count ->
    [one] { $count } posto
   *[other] { $count } posti
}

## Beside the map

panel-title = I tuoi posti
panel-key = Sulla mappa i puntini grigi sono occupati o nascosti dai tuoi prezzi, le strisce indicano che ne restano pochi, e ✓ è tuo.
panel-to-map = Torna alla mappa
panel-to-seats = I tuoi posti e i migliori disponibili
panel-best = Migliori disponibili
panel-any-price = Qualsiasi prezzo
panel-find = Trova e riserva i posti
panel-seats = Posti
panel-price = Prezzo
panel-where = Dove
panel-anywhere = Ovunque
panel-wheelchair = Con uno spazio per sedia a rotelle
panel-holding = Prenotazione…
panel-hold = { $count ->
    [one] Riserva { $count } posto
   *[other] Riserva { $count } posti
}
panel-chosen-title = { $count ->
    [one] Scelto: { $count } posto
   *[other] Scelti: { $count } posti
}
panel-chosen = { $count ->
    [one] { $count } posto scelto
   *[other] { $count } posti scelti
}
panel-held = { $count ->
    [one] { $count } posto riservato
   *[other] { $count } posti riservati
}
panel-not-held = Non ancora riservato.
panel-held-title = Riservato per te
panel-total = Totale
panel-fees = Tutte le commissioni sono nel totale.
panel-go-to-checkout = Vai al pagamento
panel-checkout = Pagamento
panel-nothing = Ancora nulla di riservato
panel-empty = Non hai ancora riservato nulla. Scegli un settore sulla mappa o lascia che troviamo i posti migliori. Puoi riservarne fino a { $limit }.
panel-not-this = Non prendere { $seat }
panel-give-back = Restituisci
panel-give-these-back = Restituisci questi

## Seats as a list

list-row = Fila { $row }
list-free = { $count ->
    [one] { $count } posto libero
   *[other] { $count } posti liberi
}
list-none-free = nessuno libero
list-state-mine = riservato per te
list-state-gone = occupato
list-kind-accessible = accessibile
list-kind-companion = accompagnatore
list-table-for = tavolo per { $count }
list-box-for = palco per { $count }

## An area without numbered seats

area-hold = Riserva i posti
area-free-seating = Nessun posto numerato: in piedi o seduti, dove vuoi.
area-free-seating-price = Nessun posto numerato: in piedi o seduti, dove vuoi. { $price } ciascuno.
area-how-many = Quanti
area-left = { $count ->
    [one] resta { $count } posto
   *[other] restano { $count } posti
}
area-none-left = Nessuno in questo momento
