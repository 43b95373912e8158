# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = zo meteen
soon-seconds = { $count ->
    [one] over { $count } seconde
   *[other] over { $count } seconden
}
soon-minutes = { $count ->
    [one] over ongeveer { $count } minuut
   *[other] over ongeveer { $count } minuten
}
estimate-under-seconds = { $count ->
    [one] minder dan { $count } seconde
   *[other] minder dan { $count } seconden
}
estimate-under-minutes = { $count ->
    [one] minder dan { $count } minuut
   *[other] minder dan { $count } minuten
}
estimate-under-hours = { $count ->
    [one] minder dan { $count } uur
   *[other] minder dan { $count } uur
}
estimate-about-seconds = { $count ->
    [one] ongeveer { $from }–{ $count } seconde
   *[other] ongeveer { $from }–{ $count } seconden
}
estimate-about-minutes = { $count ->
    [one] ongeveer { $from }–{ $count } minuut
   *[other] ongeveer { $from }–{ $count } minuten
}
estimate-about-hours = { $count ->
    [one] ongeveer { $from }–{ $count } uur
   *[other] ongeveer { $from }–{ $count } uur
}
estimate-over-seconds = { $count ->
    [one] meer dan { $count } seconde
   *[other] meer dan { $count } seconden
}
estimate-over-minutes = { $count ->
    [one] meer dan { $count } minuut
   *[other] meer dan { $count } minuten
}
estimate-over-hours = { $count ->
    [one] meer dan { $count } uur
   *[other] meer dan { $count } uur
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, zelden meer dan { $count } seconde
   *[other] { $about }, zelden meer dan { $count } seconden
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, zelden meer dan { $count } minuut
   *[other] { $about }, zelden meer dan { $count } minuten
}
estimate-rarely-hours = { $count ->
    [one] { $about }, zelden meer dan { $count } uur
   *[other] { $about }, zelden meer dan { $count } uur
}

## News of the sale, for those who wait

news-paused = De organisator heeft de verkoop gepauzeerd. U houdt uw plaats.
news-none-free = Er is op dit moment niets vrij. Plaatsen uit andere mandjes kunnen terugkomen, en u houdt uw plaats tot alles is verkocht.
news-few-left = { $count ->
    [one] Er is nog maar { $count } plaats. Die kan weg zijn voordat u wordt toegelaten.
   *[other] Er zijn nog maar { $count } plaatsen. Die kunnen weg zijn voordat u wordt toegelaten.
}

## Being called, and the turn to pay

call-me = Roep mij als ik aan de beurt ben
call-sound = Wij roepen u met een geluid
call-sound-and-note = Wij roepen u met een geluid en een melding
turn-busy = Er betalen nu veel kopers.
turn-away = De betaaldienst antwoordt op dit moment niet.
turn-opens = { $why } Uw plaatsen blijven voor u. Betalen kan over { $clock }.
turn-kept = { $why } Uw plaatsen blijven voor u.
turn-goes-on = Deze pagina gaat vanzelf verder: laat haar open.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = Deze aanmelding is niet in dit venster begonnen, of was al afgerond. Voor uw veiligheid telt ze niet. Meld u hier aan.
problem-sign-in-declined = Het aanmelden is geannuleerd. U kunt zonder rondkijken; voor tickets moeten wij weten wie u bent.
problem-sign-in-failed = De aanmelddienst kon dit niet afronden. Er is niets verloren; probeer het opnieuw.
problem-sign-in-refused = Dit aanmelden duurde te lang, of het is al gebruikt. Meld u opnieuw aan.
problem-sign-in-unavailable = Aanmelden is nu niet mogelijk. Er is niets verloren; probeer het zo opnieuw.
problem-nothing-kept = Uw browser bewaart niets voor deze site, dus na het aanmelden zouden wij u niet herkennen. Sta cookies en sitegegevens toe voor deze site, of open hem in een ander venster of een andere browser.
problem-forbidden = Dit is van iemand anders.
problem-not-eligible = Deze verkoop staat niet open voor uw account.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Uw account is te nieuw voor deze verkoop.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = U kunt nog niet naar binnen.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Er kwamen te veel ongewone verzoeken van dit account, dus het moet even rusten.
problem-malformed-input-email = Naar dit adres kan geen e-mail worden gestuurd. Controleer het.
problem-malformed-input-postal_address = De organisator heeft net veranderd welke gegevens nodig zijn. Controleer uw naam en adres.
problem-malformed-input-postal_address-part = Dit ontbreekt, is te lang of heeft een teken dat niet kan worden afgedrukt.
problem-malformed-input-terms = Accepteer eerst de voorwaarden van de verkoper.
problem-seats-taken = Iemand was sneller: een van deze plaatsen is net bezet.
problem-single-seat = Zo blijft één plaats alleen over. Schuif er een op.
problem-no-seats-found = Geen plaatsen passen bij deze wens. Probeer minder plaatsen, een andere prijs of een ander vak.
problem-possible-together = Vrij naast elkaar: { $what }.
problem-possible-whole = Vrij: een tafel of loge voor { $what }.
problem-possible-section = In vak { $what } zijn er plaatsen.
problem-possible-area = In { $what } zijn er plaatsen zonder nummer.
problem-wrong-state = Dit kan niet meer.
problem-wrong-state-not-sold = Deze bestelling is niet betaald, dus er is geen factuur.
problem-wrong-state-no-seller = De organisator geeft voor dit evenement geen facturen.
problem-wrong-state-not-yet = De factuur wordt enkele minuten na afloop van de betaaltijd gemaakt. Probeer het dan opnieuw.
problem-wrong-state-no-mail = Hier wordt geen e-mail verstuurd, dus tickets zijn niet per e-mail te vinden. Meld u aan zoals bij de aankoop, of neem contact op met de kassa.
problem-wrong-state-being-made = Uw tickets worden gemaakt. Probeer het zo opnieuw.
problem-wrong-state-event-cancelled = De organisator heeft dit evenement afgelast. Alles wat is betaald, gaat vanzelf terug naar de koper.
problem-wrong-state-void = Tickets die niet geldig zijn, kunnen niet worden geannuleerd of doorgegeven. Neem contact op met de organisator.
problem-wrong-state-never = De organisator biedt dit voor deze tickets niet aan.
problem-wrong-state-too-late = De tijd hiervoor is om.
problem-wrong-state-withdrawn = Dit aanbod is ingetrokken. Wie het ticket doorgeeft, kan een nieuwe link sturen.
problem-wrong-state-own = Dit is uw eigen ticket. Stuur de link naar de persoon die het moet krijgen.
problem-wrong-state-accepted = Dit ticket is al aangenomen en is nu niet van u.
problem-wrong-state-too-often = Dit ticket is zo vaak doorgegeven als is toegestaan. Het blijft bij u.
problem-wrong-state-passed-on = Een ticket is doorgegeven, en de plaats ervan is niet meer van u.
problem-version-conflict = Intussen is er iets veranderd. Probeer het opnieuw.
problem-hold-expired = De tijd voor deze plaatsen is om, en ze zijn teruggegeven.
problem-session-expired = Uw tijd om te kiezen is om, en uw plaatsen zijn teruggegeven.
problem-sale-over = De verkoop is voorbij.
problem-payment-waits = Er betalen nu veel kopers. Uw plaatsen blijven voor u; probeer het zo opnieuw.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Uw plaatsen blijven voor u; probeer het zo opnieuw.
problem-payment-refused = Deze bestelling kan niet meer worden betaald.
problem-payment-refused-already-refunded = Deze betaling is al terugbetaald.
problem-payment-refused-disputed = Uw bank haalt deze betaling terug, dus ze kan hier niet worden terugbetaald.
problem-payment-refused-failed = De terugbetaling is verstuurd, en de bank heeft haar teruggestuurd. Neem contact op met de kassa.
problem-payment-refused-invalid = De betaaldienst accepteert dit niet. Neem contact op met de kassa.
problem-payment-refused-too-late = De tijd om deze bestelling te betalen is om.
problem-payment-refused-too-old = Deze betaling is te oud om op de kaart te worden terugbetaald. Neem contact op met de kassa.
problem-payment-refused-unknown-payment = De betaaldienst kent deze betaling niet. Neem contact op met de kassa.
problem-idempotency-mismatch = Dit verzoek is al in een andere vorm gedaan. Laad de pagina opnieuw.
problem-limit-exceeded = Dat is meer dan één koper mag hebben.
problem-limit-exceeded-address = Dat zijn meer plaatsen dan één postadres mag hebben.
problem-limit-is = { $text } De grens is { $limit }.
problem-until = { $text } Uw plaatsen blijven van u tot uiterlijk { $time }.
problem-dependency-unavailable-settling = Het is nog niet duidelijk of deze plaatsen zijn betaald.
problem-too-early = Dat was iets te vroeg. De pagina probeert het vanzelf opnieuw.
problem-link-ended = Deze link opent niets. Een link werkt 24 uur: vraag een nieuwe aan.
problem-waiting-token-ended = U moest een nieuwe plaats krijgen. Het lot is hetzelfde.

## Small parts

part-copied = Gekopieerd
part-copy-yourself = Kopieer het zelf
part-close-notice = Sluit deze melding

## A page that needs a sign-in

sign-in-again = Opnieuw aanmelden
sign-in-failed = U bent niet aangemeld
sign-in-heading = Meld u aan
sign-in-heading-again = Meld u opnieuw aan
sign-in-why-wait = Eén persoon heeft één plaats in de wachtruimte; daarom moeten wij weten wie u bent.
sign-in-why-theirs = Bestellingen en tickets worden alleen aan hun eigenaar getoond; daarom moeten wij weten wie u bent.
sign-in-why-accept = Iemand geeft een ticket aan u door. Meld u aan om het te bekijken en aan te nemen: daarna staat het onder ‘Mijn bestellingen’. Er wordt niets in rekening gebracht.
sign-in-why-ended = Uw aanmelding is verlopen. Dat alleen kost u niets: uw plaats in de wachtruimte en de plaatsen die u vasthoudt blijven van u tot hun eigen tijd om is. Meld u aan met hetzelfde account.
sign-in-lost-tickets = Bent u uw tickets kwijt? { $link }.
sign-in-lost-tickets-link = Vind ze terug per e-mail

## Whom a sale is open to

account-members-until = Tot { $date } kunnen alleen leden tickets kopen ({ $names }). Daarna gaat de verkoop voor iedereen open.
account-members = Alleen leden kunnen tickets kopen ({ $names }).
account-phone = Uw account heeft een geverifieerd telefoonnummer nodig.
account-days = { $count ->
    [one] Uw account moet minstens { $count } dag oud zijn.
   *[other] Uw account moet minstens { $count } dagen oud zijn.
}
account-address-limit = { $count ->
    [one] Eén postadres mag hooguit { $count } plaats hebben in alle bestellingen samen.
   *[other] Eén postadres mag hooguit { $count } plaatsen hebben in alle bestellingen samen.
}
account-card-limit = { $count ->
    [one] Eén betaalkaart mag hooguit { $count } plaats betalen in alle bestellingen samen.
   *[other] Eén betaalkaart mag hooguit { $count } plaatsen betalen in alle bestellingen samen.
}
account-no-phone = Uw account heeft geen geverifieerd telefoonnummer, dus u kunt geen tickets voor dit evenement kopen. Verifieer uw nummer waar u zich aanmeldt, meld u daarna hier af en opnieuw aan.
account-too-young = { $count ->
    [one] Accounts voor dit evenement moeten minstens { $count } dag oud zijn. Dat van u is van { $since }, dus u kunt er geen tickets voor kopen.
   *[other] Accounts voor dit evenement moeten minstens { $count } dagen oud zijn. Dat van u is van { $since }, dus u kunt er geen tickets voor kopen.
}
account-age-unknown = { $count ->
    [one] Accounts voor dit evenement moeten minstens { $count } dag oud zijn, en uw aanmelding zegt niet hoe oud dat van u is. Daarom kunt u geen tickets voor dit evenement kopen.
   *[other] Accounts voor dit evenement moeten minstens { $count } dagen oud zijn, en uw aanmelding zegt niet hoe oud dat van u is. Daarom kunt u geen tickets voor dit evenement kopen.
}
account-no-member-yet = Uw account is geen lid. Kom terug op { $date }: eerder komen helpt niet.
account-no-member = Uw account is geen lid, dus u kunt geen tickets voor dit evenement kopen.

## The waiting room

wait-title = Wachtruimte: { $event }
wait-heading-joining = U krijgt uw plaats…
wait-heading-elsewhere = Een ander venster houdt uw plaats
wait-heading-solving = Een korte controle van uw browser…
wait-heading-waiting = U bent in de wachtruimte
wait-heading-prequeue = U bent vroeg, en uw plaats is veilig
wait-heading-asking = Wij vragen of u naar binnen kunt…
wait-heading-paused = De verkoop is gepauzeerd
wait-heading-full = U bent bijna binnen
wait-heading-settling = Uw laatste bestelling wordt afgerond
wait-heading-locked = U kunt nog niet naar binnen
wait-heading-busy = De dienst is erg druk
wait-heading-offline = De verbinding is weg
wait-heading-strange = Iets in dit netwerk antwoordt in onze plaats
wait-heading-stripped = Iets in dit netwerk verwijdert een deel van wat deze pagina verstuurt
wait-text-joining = Een ogenblik.
wait-text-elsewhere = Ga daar verder. Dit venster neemt het vanzelf over als het andere wordt gesloten.
wait-text-solving = Uw apparaat doet een klein stukje werk, zodat niemand duizenden robots kan sturen.
wait-text-waiting = De volgorde wordt eerlijk geloot, en hoe langer u wacht, hoe groter uw kans. Wij laten u automatisch binnen.
wait-text-prequeue = Iedereen die hier is als de verkoop begint, heeft dezelfde kans: als eerste komen helpt niet.
wait-text-asking = Een ogenblik.
wait-text-paused = De organisator heeft de rij even stilgezet. U houdt uw plaats en de rij gaat vanzelf verder.
wait-text-full = Alle plaatsen binnen zijn op dit moment bezet. Ze komen vrij in de volgorde van de loting, dus eerder vragen helpt niemand.
wait-text-settling = U houdt uw plaats, en de pagina probeert het vanzelf opnieuw.
wait-text-locked = U houdt uw plaats, en de pagina probeert het vanzelf opnieuw.
wait-text-busy = Uw plaats is veilig. De pagina probeert het vanzelf opnieuw.
wait-text-offline = Uw plaats is veilig op dit apparaat. De pagina gaat verder zodra de verbinding terug is.
wait-text-strange = Wij blijven het proberen; uw plaats is veilig. Vraagt dit netwerk om aan te melden, open dan de pagina ervan; anders helpt een ander netwerk, zoals dat van uw telefoon.
wait-text-stripped = Zonder dat deel kunnen wij uw plaats niet herkennen. Wij blijven het proberen; uw plaats is veilig. Meestal helpt een ander netwerk, zoals dat van uw telefoon.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Uw plaats verliep terwijl deze pagina sliep, dus u hebt een nieuwe: u wacht vanaf nu.
wait-noticed = Er kwamen ongewone verzoeken van dit account, dus uw browser doet een langere controle.
wait-hint-open = Laat deze pagina open. U mag haar herladen of het scherm een paar minuten vergrendelen: u houdt uw plaats.
wait-hint-windows = Vernieuwen, meer vensters of een snellere lijn helpen niemand.
wait-leave = De wachtruimte verlaten
wait-really-leave = Echt verlaten? U geeft uw plaats op
wait-starts-in = De verkoop begint over
wait-fact-estimate = Uw wachttijd vanaf nu
wait-fact-unknown = nog niet bekend
wait-fact-starts = De verkoop begint
wait-fact-since = U wacht al
wait-fact-next = Volgende blik
wait-fact-now = nu
wait-turn = U bent aan de beurt
wait-you-are-in = U bent binnen tot { $until }. Kies uw plaatsen.
in-title = U bent binnen: { $event }
in-heading = U bent binnen
in-since = U bent sinds { $from } binnen. Uw tijd om te kiezen loopt en eindigt om { $until }.
in-until = Uw tijd om te kiezen loopt en eindigt om { $until }.
in-choose = Plaatsen kiezen
in-steps = Wat u doet
in-step-choose = Kies een vak op de plattegrond, of laat ons de beste plaatsen zoeken: tot { $limit } tegelijk.
in-step-hold = Houd uw plaatsen vast. Wat alleen gekozen is, is nog vrij voor anderen.
in-step-pay = Ga naar de kassa voordat uw tijd om is. Tijd om te betalen daarna: { $time }.
in-ends = Als uw tijd om is, gaat wat u vasthoudt terug naar anderen.
wait-room-full = De wachtruimte is vol
wait-room-full-text = Niemand wordt meer toegelaten tot de rij. Wie al wacht, komt nog binnen. Het spijt ons dat u deze keer te laat kwam.
wait-sale-over = De verkoop is voorbij
wait-sold-out = Uitverkocht
wait-sold-out-text = Elke plaats heeft iemand gevonden. Het spijt ons dat u het deze keer niet was; de loting was eerlijk.
wait-closed-text = De verkoop is afgelopen. Bedankt voor het wachten.
wait-break-open = Gebruik één venster en vernieuw niet; de pagina vraagt vanzelf.
wait-lock-ends = Dit eindigt over
wait-lock-person = Iemand bij de organisator heeft dit besloten. De reden: { $reason }
wait-appeal-text = Wat moet diegene weten? (niet verplicht)
wait-appeal-ask = Vraag iemand om te kijken
wait-appealed = Er is iemand gevraagd om te kijken. Als die u binnenlaat, gaat deze pagina meteen verder; anders gaat ze verder als de tijd om is. U hoeft verder niets te doen.
wait-used-up = U kunt niet opnieuw naar binnen
wait-used-up-text = U hebt al uw sessies voor dit evenement gebruikt en zou voor niets wachten.
wait-not-eligible = Deze verkoop staat niet open voor uw account
wait-trying-again = Wij proberen het vanzelf opnieuw.
room-as-of = Vrije plaatsen om { $time }.
ready-title = Houd klaar
ready-sign-in = U bent aangemeld. Daarvoor hoeft u niets meer te doen.
ready-pay = Een kaart of wallet om te betalen, en de app waarmee uw bank om bevestiging vraagt.
ready-address = Uw postadres: de kassa vraagt ernaar.
ready-wishes = Wat u wilt betalen, en twee andere keuzes.
ready-limit = Plaatsen per account: tot { $limit }.
ready-times = Tijd om te kiezen: { $choose }. Tijd om te betalen daarna: { $pay }.

## The end of a session

session-time-over = Uw tijd om te kiezen is om, en uw plaatsen zijn teruggegeven zodat anderen ze kunnen krijgen.
session-none = Er is hier geen open sessie voor u. Als uw tijd om was, zijn uw plaatsen teruggegeven.
session-ended = Deze sessie is beëindigd.
session-over = Uw sessie is voorbij
session-ordered = U hebt besteld
session-ordered-text = Uw bestelling voor dit evenement is veilig. U hebt er nu geen open sessie voor.

## The sale

sale-title = Kies uw plaatsen: { $event }
sale-time = Resterende tijd
sale-time-left = nog { $time }
sale-one-minute = Nog één minuut.
sale-to-venue = Terug naar de hele zaal
sale-show-list = Als lijst tonen
sale-show-map = Plattegrond tonen
sale-seat-taken = { $seat } is bezet.
sale-seat-mine = { $seat } wordt al voor u vastgehouden.
sale-seat-chosen = { $seat } gekozen
sale-seat-unchosen = { $seat } niet meer gekozen
sale-limit = Eén koper mag er hooguit { $limit } vasthouden. Geef er een terug om een andere te kiezen.
sale-limit-held = { $count ->
    [one] Eén koper mag er hooguit { $limit } vasthouden, en { $count } wordt al vastgehouden.
   *[other] Eén koper mag er hooguit { $limit } vasthouden, en { $count } worden al vastgehouden.
}
sale-held = Voor u vastgehouden: { $seats }.
sale-given-back = Teruggegeven.
sale-faster = { $count ->
    [one] Iemand was sneller: { $seats } is bezet.
   *[other] Iemand was sneller: { $seats } zijn bezet.
}
sale-faster-others = De andere zijn nog gekozen en worden nog niet vastgehouden.
sale-faster-choose = Kies een andere.
sale-being-taken = Iemand anders neemt op dit moment { $seats }. Zo niet, dan is de plaats over een paar seconden weer vrij.
sale-just-taken = Net door iemand anders genomen: { $seats }.
sale-outdated = De plattegrond is op dit moment niet actueel. Plaatsen die u vasthoudt zijn veilig.
sale-seats = { $count ->
    [one] { $count } plaats
   *[other] { $count } plaatsen
}

## Beside the map

panel-title = Uw plaatsen
panel-key = Op de plattegrond zijn kleine grijze stippen bezet of door uw prijzen verborgen, strepen betekenen dat er weinig over zijn, en ✓ is van u.
panel-to-map = Terug naar de plattegrond
panel-to-seats = Uw plaatsen en de beste vrije
panel-best = Beste vrije plaatsen
panel-any-price = Elke prijs
panel-find = Plaatsen zoeken en vasthouden
panel-seats = Plaatsen
panel-price = Prijs
panel-where = Waar
panel-anywhere = Overal
panel-wheelchair = Met een rolstoelplaats
panel-holding = Vasthouden…
panel-hold = { $count ->
    [one] { $count } plaats vasthouden
   *[other] { $count } plaatsen vasthouden
}
panel-chosen-title = { $count ->
    [one] Gekozen: { $count } plaats
   *[other] Gekozen: { $count } plaatsen
}
panel-chosen = { $count ->
    [one] { $count } plaats gekozen
   *[other] { $count } plaatsen gekozen
}
panel-held = { $count ->
    [one] { $count } plaats vastgehouden
   *[other] { $count } plaatsen vastgehouden
}
panel-not-held = Nog niet vastgehouden.
panel-held-title = Voor u vastgehouden
panel-total = Totaal
panel-fees = Alle kosten zitten in het totaal.
panel-go-to-checkout = Naar de kassa
panel-checkout = Kassa
panel-nothing = Nog niets vastgehouden
panel-empty = Er wordt nog niets vastgehouden. Kies een vak op de plattegrond, of laat ons de beste plaatsen zoeken. U mag er tot { $limit } vasthouden.
panel-not-this = { $seat } niet nemen
panel-give-back = Teruggeven
panel-give-these-back = Deze teruggeven

## Seats as a list

list-row = Rij { $row }
list-free = { $count ->
    [one] { $count } plaats vrij
   *[other] { $count } plaatsen vrij
}
list-none-free = geen vrij
list-state-mine = voor u vastgehouden
list-state-gone = bezet
list-kind-accessible = toegankelijk
list-kind-companion = begeleider
list-table-for = tafel voor { $count }
list-box-for = loge voor { $count }

## An area without numbered seats

area-hold = Plaatsen vasthouden
area-free-seating = Geen genummerde plaatsen: sta of zit waar u wilt.
area-free-seating-price = Geen genummerde plaatsen: sta of zit waar u wilt. { $price } per stuk.
area-how-many = Hoeveel
area-left = { $count ->
    [one] nog { $count } plaats
   *[other] nog { $count } plaatsen
}
area-none-left = Op dit moment geen meer
