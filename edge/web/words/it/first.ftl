# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Vai al contenuto
page-offline = Sei offline. Nulla è perso: questa pagina prosegue quando torna la connessione.
page-language = Lingua
page-loading = Caricamento…
page-loading-title = Caricamento
page-my-orders = I miei ordini
page-find-tickets = Ritrova i miei biglietti
page-sign-in = Accedi
page-sign-out = Esci
page-all-events = Tutti gli eventi
page-to-event = Torna all'evento
page-to-order = Vedi il tuo ordine
page-try-again = Riprova
page-failed = Qualcosa lo impedisce
page-not-found = Non trovato

## What goes wrong on any page, by the problem's code

problem-offline = Il servizio non è raggiungibile in questo momento. Controlla la connessione e riprova.
problem-strange-network = Qualcosa in questa rete risponde al nostro posto. Nulla è perso. Se questa rete chiede un accesso, apri la sua pagina; altrimenti prova un'altra rete, come quella del telefono.
problem-stripped-request = Qualcosa in questa rete toglie una parte di ciò che questa pagina invia. Nulla è perso. Di solito aiuta un'altra rete, come quella del telefono.
problem-malformed-input = Qualcosa in questa richiesta non è stato compreso. Controlla ciò che hai inserito.
problem-not-found = Questo non esiste, o non esiste più.
problem-too-many-requests = Un po' troppo veloce. Attendi un momento e riprova.
problem-dependency-unavailable = Il servizio è molto occupato. Nulla è perso; riprova tra un momento.
problem-unauthenticated = Accedi.
problem-sign-in-ended = Il tuo accesso è scaduto. Accedi di nuovo.
problem-internal = Qualcosa è andato storto da parte nostra. Non è stato addebitato nulla. Riprova.

## What a countdown counts

time-days = { $count ->
    [one] giorno
   *[other] giorni
}
time-hours = { $count ->
    [one] ora
   *[other] ore
}
time-minutes = { $count ->
    [one] minuto
   *[other] minuti
}
time-seconds = { $count ->
    [one] secondo
   *[other] secondi
}

## Seats and places

seat-in-row = Fila { $row }, posto { $number }
seat-table = Tavolo { $number } per { $count }
seat-box = Palco { $number } per { $count }
seat-section = Settore { $name }

## The list of events

events-title = Eventi
events-search = Artista, evento o luogo
events-city = Città
events-all-cities = Tutte le città
events-kind = Tipo
events-all-kinds = Tutti i tipi
events-from = Dal
events-until = Al
events-past = Eventi passati
events-count = { $count ->
    [one] { $count } evento
   *[other] { $count } eventi
}
events-none-match = Nessun evento corrisponde. Questa pagina cerca di nuovo da sola.
events-none = Non c'è ancora nulla in vendita. Questa pagina cerca di nuovo da sola.
events-sale-from = In vendita dal { $date }
events-pages = Pagine
events-page = Pagina { $page } di { $pages }
events-back = Indietro
events-next = Avanti

## An event's page

event-state-on-sale = In vendita
event-state-coming-up = In arrivo
event-state-paused = In pausa
event-state-soldout = Esaurito
event-state-closed = Terminato
event-state-cancelled = Annullato
event-fees-included = I prezzi comprendono tutte le commissioni di un biglietto.
event-fee-added = A ogni ordine si aggiunge una commissione di { $fee }.
event-sale-starts = La vendita inizia { $date }
event-prices = Prezzi
event-about = Informazioni
event-word = Dall'organizzatore: { $text }
event-travel = Come arrivare
event-fullest = La maggior parte vorrà { $places }. Altri posti sono più facili da ottenere.
event-seat-map = Mappa dei posti
event-sections-list = Settori in elenco
event-ordered = Hai un ordine per questo evento. { $link }
event-go-on = Continua a scegliere i posti
event-says-soldout = Esaurito. Ogni posto ha un biglietto.
event-says-closed = La vendita è terminata.
event-says-used-up = Hai usato tutte le tue sessioni per questo evento e attenderesti invano. Vedi «I miei ordini».
event-says-draining = Nessun altro può entrare nella sala d'attesa. Chi attende già viene ancora ammesso.
event-says-paused = La vendita è in pausa. Il tuo posto resta tuo e la vendita riprende da sola.
event-says-cancelled = L'organizzatore ha annullato questo evento. Non si vende più nulla e tutti i pagamenti vengono rimborsati da soli.
event-preview = Questa è un'anteprima. I clienti non vedono ancora questo evento e nessuno può partecipare.
event-perhaps-soon = Se l'evento è appena stato pubblicato, questa pagina lo mostra da sola entro mezzo minuto.
event-too-early = La sala d'attesa apre mezz'ora prima della vendita. Arrivare presto non dà vantaggi: tutti quelli che ci sono all'inizio della vendita hanno la stessa possibilità.
event-enter = Entra nella sala d'attesa
event-get-tickets = Prendi i biglietti
event-to-place = Torna al tuo posto
event-before-start = Tutti quelli che sono qui all'inizio della vendita hanno la stessa possibilità. Non serve aggiornare.
event-after-start = I posti si estraggono in modo equo. Aggiornare o aprire altre finestre non cambia nulla.
event-rules = Come funziona la vendita
event-no-map = La mappa dei posti ora non si può mostrare. Puoi continuare senza.
event-map-failed = La mappa ora non si può caricare. L'elenco è qui sotto.

## The end of the sale

news-sale-ends = La vendita termina { $date }, e dopo non entra più nessuno.
news-sale-ends-late = La vendita termina { $date }, e dopo non entra più nessuno. La tua attesa può durare di più.

## Who sells

seller-questions = Domande? { $way }
seller-questions-either = Domande? { $mail } o { $phone }
seller-sold-by = Venduto da { $name }
seller-imprint = Note legali
seller-terms = Condizioni
seller-privacy = Privacy
