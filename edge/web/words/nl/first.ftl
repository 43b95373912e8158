# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Naar de inhoud
page-offline = U bent offline. Er is niets verloren: deze pagina gaat verder zodra de verbinding terug is.
page-language = Taal
page-loading = Laden…
page-loading-title = Laden
page-my-orders = Mijn bestellingen
page-find-tickets = Mijn tickets terugvinden
page-sign-in = Aanmelden
page-sign-out = Afmelden
page-all-events = Alle evenementen
page-to-event = Terug naar het evenement
page-to-order = Bekijk uw bestelling
page-try-again = Opnieuw proberen
page-failed = Er staat iets in de weg
page-not-found = Niet gevonden

## What goes wrong on any page, by the problem's code

problem-offline = De dienst is nu niet bereikbaar. Controleer uw verbinding en probeer het opnieuw.
problem-strange-network = Iets in dit netwerk antwoordt in onze plaats. Er is niets verloren. Vraagt dit netwerk om aan te melden, open dan de pagina ervan; probeer anders een ander netwerk, zoals dat van uw telefoon.
problem-stripped-request = Iets in dit netwerk verwijdert een deel van wat deze pagina verstuurt. Er is niets verloren. Meestal helpt een ander netwerk, zoals dat van uw telefoon.
problem-malformed-input = Iets in dit verzoek is niet begrepen. Controleer wat u hebt ingevoerd.
problem-not-found = Dit bestaat niet, of niet meer.
problem-too-many-requests = Dat ging iets te snel. Wacht even en probeer het opnieuw.
problem-dependency-unavailable = De dienst is erg druk. Er is niets verloren; probeer het zo opnieuw.
problem-unauthenticated = Meld u aan.
problem-sign-in-ended = Uw aanmelding is verlopen. Meld u opnieuw aan.
problem-internal = Er ging bij ons iets mis. Er is niets in rekening gebracht. Probeer het opnieuw.

## What a countdown counts

time-days = { $count ->
    [one] dag
   *[other] dagen
}
time-hours = { $count ->
    [one] uur
   *[other] uur
}
time-minutes = { $count ->
    [one] minuut
   *[other] minuten
}
time-seconds = { $count ->
    [one] seconde
   *[other] seconden
}

## Seats and places

seat-in-row = Rij { $row }, stoel { $number }
seat-table = Tafel { $number } voor { $count }
seat-box = Loge { $number } voor { $count }
seat-section = Vak { $name }

## The list of events

events-title = Evenementen
events-search = Artiest, evenement of locatie
events-city = Stad
events-all-cities = Alle steden
events-kind = Soort
events-all-kinds = Alle soorten
events-from = Van
events-until = Tot
events-past = Eerdere evenementen
events-count = { $count ->
    [one] { $count } evenement
   *[other] { $count } evenementen
}
events-none-match = Geen evenement past. Deze pagina kijkt vanzelf opnieuw.
events-none = Er is nog niets te koop. Deze pagina kijkt vanzelf opnieuw.
events-sale-from = Te koop vanaf { $date }
events-pages = Pagina's
events-page = Pagina { $page } van { $pages }
events-back = Vorige
events-next = Volgende

## An event's page

event-state-on-sale = Te koop
event-state-coming-up = Binnenkort
event-state-paused = Gepauzeerd
event-state-soldout = Uitverkocht
event-state-closed = Afgelopen
event-state-cancelled = Afgelast
event-fees-included = Prijzen zijn inclusief alle kosten van een ticket.
event-fee-added = Bij elke bestelling komt { $fee } aan kosten.
event-sale-starts = De verkoop begint { $date }
event-prices = Prijzen
event-about = Over dit evenement
event-word = Van de organisator: { $text }
event-travel = Route
event-fullest = De meeste kopers willen { $places }. Andere plaatsen zijn makkelijker te krijgen.
event-seat-map = Zaalplattegrond
event-sections-list = Vakken als lijst
event-ordered = U hebt een bestelling voor dit evenement. { $link }
event-go-on = Verder plaatsen kiezen
event-says-soldout = Uitverkocht. Elke plaats heeft een ticket.
event-says-closed = De verkoop is afgelopen.
event-says-used-up = U hebt al uw sessies voor dit evenement gebruikt en zou voor niets wachten. Zie ‘Mijn bestellingen’.
event-says-draining = Niemand kan meer in de wachtruimte komen. Wie al wacht, wordt nog toegelaten.
event-says-paused = De verkoop is gepauzeerd. U houdt uw plaats en de verkoop gaat vanzelf verder.
event-says-cancelled = De organisator heeft dit evenement afgelast. Er wordt niets meer verkocht en alle betalingen gaan vanzelf terug.
event-preview = Dit is een voorbeeld. Kopers zien dit evenement nog niet en niemand kan meedoen.
event-perhaps-soon = Als het evenement net is gepubliceerd, toont deze pagina het vanzelf binnen een halve minuut.
event-too-early = De wachtruimte gaat een half uur voor de verkoop open. Vroeg komen helpt niet: iedereen die er is als de verkoop begint, heeft dezelfde kans.
event-enter = Naar de wachtruimte
event-get-tickets = Tickets kopen
event-to-place = Terug naar uw plaats
event-before-start = Iedereen die hier is als de verkoop begint, heeft dezelfde kans. Vernieuwen is niet nodig.
event-after-start = De volgorde wordt eerlijk geloot. Vernieuwen of meer vensters openen verandert niets.
event-rules = Zo werkt de verkoop
event-no-map = De plattegrond kan nu niet worden getoond. U kunt zonder verder.
event-map-failed = De plattegrond kan nu niet worden geladen. De lijst staat hieronder.

## The end of the sale

news-sale-ends = De verkoop eindigt { $date }, en daarna komt niemand meer binnen.
news-sale-ends-late = De verkoop eindigt { $date }, en daarna komt niemand meer binnen. Uw wachttijd kan langer zijn.

## Who sells

seller-questions = Vragen? { $way }
seller-questions-either = Vragen? { $mail } of { $phone }
seller-sold-by = Verkocht door { $name }
seller-imprint = Colofon
seller-terms = Voorwaarden
seller-privacy = Privacy
