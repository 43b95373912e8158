# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Kasa: { $event }
checkout-heading = Kasa
checkout-fee-order = Opłata za zamówienie
checkout-fee-ticket = { $count } × opłata za bilet
checkout-pay = Zapłać { $sum }
checkout-moment = Chwileczkę…
checkout-email = E-mail na bilety
checkout-provider = Płaci się na stronie usługi płatności. Nigdy nie widzimy karty.
checkout-accept = Akceptuję { $terms }
checkout-terms = regulamin sprzedawcy
checkout-terms-new = Sprzedawca ma nowy regulamin. Prosimy go przeczytać i zaakceptować.
checkout-change-seats = ← Zmień miejsca

## The buyer's address

postal-heading = Imię, nazwisko i adres
postal-name = Imię i nazwisko
postal-street = Ulica i numer
postal-postcode = Kod pocztowy (jeśli jest)
postal-city = Miejscowość
postal-country = Kraj

## What has become of an order

order-title-pending = Czekamy na płatność
order-text-pending = Gdy tylko usługa płatności nas powiadomi, bilety pojawią się tutaj.
order-title-paid = Zapłacono. Bilety są przygotowywane
order-text-paid = To potrwa kilka sekund.
order-title-ticketed = Twoje bilety
order-title-failed = Te miejsca zostały oddane
order-text-failed = Nic nie pobrano.
order-title-expired = Czas na płatność minął
order-text-expired = Nic nie pobrano, a miejsca zostały zwolnione.
order-title-refund-due = Pieniądze do ciebie wracają
order-text-refund-due = Płatność przyszła, gdy miejsc już nie było, więc nie można było ich zachować.
order-title-refunded = Pieniądze zostały odesłane
order-title-cancelled = Zamówienie anulowano
order-text-cancelled = Bilety nie są już ważne.
order-title-disputed = Bilety są wstrzymane
order-text-disputed = Bank zażądał zwrotu tej płatności, więc bilety na razie nie są ważne. Jeśli to pomyłka, prosimy powiedzieć o tym bankowi: gdy wycofa żądanie, będą znów ważne.
order-title-charged-back = To zamówienie jest zakończone
order-text-charged-back = Bank odebrał płatność i bilety nie są już ważne. Nic więcej nie będzie pobrane.
order-title-declined = Karta została odrzucona
order-text-declined = Bank odrzucił kartę. Nic nie pobrano. Miejsca są zachowane do { $time }.
order-title-card-limit = Ta karta osiągnęła limit
order-text-card-limit = Tą kartą kupiono już tyle miejsc, ile może jedna karta. Nic nie pobrano. Miejsca są zachowane do { $time }.
order-title-all-passed-on = Bilety zostały przekazane
order-text-all-passed-on = Teraz mają je inni, każdy z własnym kodem.
order-title-event-cancelled = Wydarzenie jest odwołane
order-text-event-cancelled = Organizator odwołał to wydarzenie. Bilety nie są już ważne, a wszystko, co zapłacono, wraca.
order-title-settling = Sprawdzamy, czy zapłacono
order-text-settling = Czas na płatność minął, a usługa płatności jeszcze nie powiedziała, czy zapłacono. Jeśli tak, bilety pojawią się tutaj. Jeśli nie, miejsca wrócą najpóźniej o { $time }.
order-text-settling-late = Czas na płatność minął, a usługa płatności jeszcze nie powiedziała, czy zapłacono. Jeśli tak, będą tu bilety albo zwrot pieniędzy, jeśli miejsca mają już inni.
order-title-void = Bilety są nieważne
order-text-void = Organizator je unieważnił. Nie są już ważne. Prosimy skontaktować się z organizatorem.
order-text-void-these = Te bilety są nieważne: { $labels }. Nie są już ważne. Prosimy skontaktować się z organizatorem.
order-word-pending = Do zapłaty
order-word-paid = Zapłacone
order-word-ticketed = Bilety
order-word-failed = Oddane
order-word-expired = Niezapłacone
order-word-refund-due = Zwrot
order-word-refunded = Zwrócone
order-word-cancelled = Anulowane
order-word-disputed = Wstrzymane
order-word-charged-back = Zakończone
order-word-event-cancelled = Wydarzenie odwołane
order-word-none-left = Brak biletów
order-refunding = Kwota jest zwracana. Bankom zajmuje to kilka dni. Pieniądze do tego czasu nie przyszły? Prosimy skontaktować się z kasą biletową.
order-refund-owed = { $sum } zaraz zostanie odesłane. Bankom zajmuje to kilka dni. Pieniądze do tego czasu nie przyszły? Prosimy skontaktować się z kasą biletową.
order-refund-sent = { $sum } jest w drodze. Bankom zajmuje to kilka dni. Pieniądze do tego czasu nie przyszły? Prosimy skontaktować się z kasą biletową.
order-refund-arrived = { $sum } zostało odesłane. Bank może pokazać to za kilka dni.
order-refund-attention = Zwrot { $sum } nie dotarł do banku. Organizator o tym wie i zajmie się tym; teraz nic nie trzeba robić.
order-refund-handled = Zwrot { $sum } początkowo nie dotarł do banku, a organizator się tym zajął. Nie przyszedł? Prosimy skontaktować się z kasą biletową.
order-title-refund-attention = Zwrotem musi zająć się organizator
order-title-refund-handled = Zwrotem się zajęto
order-paid-twice = To zamówienie zapłacono drugi raz. { $text }

## An order's page

order-heading = Zamówienie
order-payment = Płatność
order-copy = Kopiuj
order-vat = w tym { $rate } % VAT, { $sum }
order-postal = Imię, nazwisko i adres: { $address }
order-mails-to = Wiadomości trafiają na { $email }.
order-places = { $count ->
    [one] { $event }, { $count } miejsce
    [few] { $event }, { $count } miejsca
    [many] { $event }, { $count } miejsc
   *[other] { $event }, { $count } miejsca
}
order-calendar = Dodaj do kalendarza
order-invoice = Faktura (PDF)
order-to-payment = Przejdź do strony płatności
order-unpaid = Jeszcze nie zapłacono. Jeśli karta została odrzucona albo nastąpił powrót bez płacenia: nic nie pobrano i można spróbować ponownie.
order-held-for = Miejsca są zachowane jeszcze { $clock }.
order-change-address = Zmień adres
order-tickets-go-to = Bilety trafią na { $email }
order-address-changed = Adres zmieniono.
order-give-back = Oddaj miejsca
order-give-back-really = Na pewno oddać miejsca?
order-too-late = Czas na opłacenie tych miejsc minął. Jeśli mimo to zapłacono, ta strona to pokaże.
order-paid-meanwhile = Te miejsca właśnie opłacono: są twoje.
order-no-news = Logowanie wygasło, więc ta strona nie pokazuje już nowości o zamówieniu. { $again }
order-sent-to = Wysłano na { $email }. Może to potrwać kilka minut.
order-send-there = Wyślij tam bilety
order-send-again = Zmień lub wyślij ponownie
order-sent-now = Bilety są wysyłane na { $email }.
order-sent-often = Dziś bilety wysyłano już kilka razy. Prosimy spróbować jutro.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Rząd { $row } · Miejsce { $number }
place-table = { $section } · { $row } · Stolik { $number }
place-box = { $section } · { $row } · Loża { $number }

## All orders

orders-count = { $count ->
    [one] { $count } bilet · { $sum }
    [few] { $count } bilety · { $sum }
    [many] { $count } biletów · { $sum }
   *[other] { $count } biletu · { $sum }
}
orders-goes-back = { $text } · wraca { $sum }
orders-sent-back = { $text } · odesłano { $sum }
orders-none = Na tym koncie nic nie zamówiono. Zamówienie pojawia się tu chwilę po złożeniu.
orders-older = Starsze zamówienia
orders-older-failed = Nie udało się wczytać starszych zamówień. { $why }
orders-passed-on = Przekazane tobie
orders-bought = Kupione przez ciebie
orders-ticket = Bilet
orders-word-passed-on = Przekazane
orders-word-void = Nieważne

## Tickets

ticket-show = { $count ->
    [one] Prosimy pokazać ten kod przy wejściu, na ekranie lub na papierze.
    [few] Prosimy pokazać te kody przy wejściu, na ekranie lub na papierze.
    [many] Prosimy pokazać te kody przy wejściu, na ekranie lub na papierze.
   *[other] Prosimy pokazać te kody przy wejściu, na ekranie lub na papierze.
}
ticket-all-pdf = Bilety (PDF)
ticket-number = Bilet { $number } z { $total }
ticket-loading = Ładowanie biletu…
ticket-save = Zapisz obraz
ticket-picture = { $name } z kodem QR
ticket-offered = Oferowany do { $date }. Jest twój, dopóki ktoś go nie weźmie.
ticket-not-loaded = Nie udało się wczytać: { $name }.
ticket-load-again = Wczytaj ponownie
ticket-gone = Przekazany: { $label }
ticket-gone-text = Ten bilet ma teraz ktoś inny. Jego kod tutaj jest nieważny.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Przekaż bilet komuś innemu
transfer-ended = Bilety można było przekazywać do { $date }.
transfer-how = Można to zrobić do { $date }. Powstaje link, ważny najwyżej 48 godzin. Kto go otworzy i się zaloguje, ma bilet z nowym kodem, a ten przestaje być ważny. Do tego czasu bilet pozostaje twój.
transfer-money = Przekazanego biletu nie można już anulować. Jeśli wydarzenie zostanie odwołane, pieniądze wrócą do kupującego.
transfer-pass = Przekaż
transfer-show-link = Pokaż link
transfer-withdraw = Wycofaj
transfer-withdraw-of = Wycofaj ofertę: { $label }
transfer-offered-until = Oferowany do { $date }
transfer-here = Oto link.
transfer-withdrawn = Oferta została wycofana.
transfer-link = Link oferty
transfer-copy = Kopiuj link
transfer-good-until = Ważny do { $date }, dla jednej osoby. Prosimy nie wysyłać go nikomu innemu.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = Bilet dla ciebie
accept-ticket = Bilet
accept-take = Weź ten bilet
accept-taken = Bilet jest twój.
accept-text = Ktoś przekazuje ten bilet. Po przyjęciu ma nowy kod, który jest tylko twój. Liczy się do miejsc, które można mieć na tym wydarzeniu.
accept-until = Oferta jest ważna do { $date }.
accept-none = Pod tym linkiem nie ma biletu
accept-own = To link do twojego własnego biletu
accept-not-whole = Ten link nie jest pełny. Prosimy zapytać osobę, która go wysłała.
accept-too-late = Czas tej oferty minął. Prosimy zapytać osobę, która wysłała link.

## Tickets that were passed on

held-title = { $count ->
    [one] Twój bilet
    [few] Twoje bilety
    [many] Twoje bilety
   *[other] Twoje bilety
}
held-cancelled = Organizator odwołał to wydarzenie i bilet nie jest już ważny. Pieniądze wracają do kupującego.
held-not-now = Bilet nie jest teraz ważny. Prosimy zapytać osobę, która go przekazała.
held-void = Nieważne: { $labels }. Prosimy skontaktować się z organizatorem.
held-passed-on = Bilet został przekazany.

## Giving back

cancel-given-back = Oddane: { $label }
cancel-fee = , opłata { $sum }
cancel-ended = To zamówienie można było anulować do { $date }.
cancel-how = Anulować można do { $date }. Bilety od razu tracą ważność, a miejsca wracają do sprzedaży.
cancel-heading-place = Anuluj miejsce z tego zamówienia
cancel-heading-either = Anuluj to zamówienie lub jedno z jego miejsc
cancel-heading-order = Anuluj to zamówienie
cancel-fee-kept = zatrzymuje się opłatę { $sum }
cancel-all-left = { $count ->
    [one] Wszystko, co zostało, { $count } bilet
    [few] Wszystko, co zostało, { $count } bilety
    [many] Wszystko, co zostało, { $count } biletów
   *[other] Wszystko, co zostało, { $count } biletu
}
cancel-button = Anuluj, zwrot { $sum }
cancel-really = Na pewno anulować? Wraca { $sum }
cancel-really-fee = Na pewno anulować? Wraca { $sum }; zatrzymuje się opłatę { $fee }
cancel-done = { $what }: anulowano.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
    [few] { $label }, wszystkie { $count } bilety
    [many] { $label }, wszystkie { $count } biletów
   *[other] { $label }, wszystkie { $count } bilety
}

## Tickets that are lost

find-title = Odnajdź moje bilety
find-how = Prosimy wpisać adres e-mail podany przy zamówieniu. Wyślemy tam link do biletów.
find-email = E-mail zamówienia
find-send = Wyślij mi link
find-no-sign-in = Nie trzeba się logować. Kto może zalogować się jak wcześniej, znajdzie wszystko w: { $orders }.
find-sent = Prosimy zajrzeć do skrzynki
find-sent-to = Jeśli z adresem { $email } coś kupiono, wiadomość jest już w drodze.
find-link = { $hours ->
    [one] Link pokazuje zamówienia i bilety i działa { $hours } godzinę. Po kilku minutach nie ma wiadomości? Prosimy zajrzeć do niechcianych i spróbować innych swoich adresów.
    [few] Link pokazuje zamówienia i bilety i działa { $hours } godziny. Po kilku minutach nie ma wiadomości? Prosimy zajrzeć do niechcianych i spróbować innych swoich adresów.
    [many] Link pokazuje zamówienia i bilety i działa { $hours } godzin. Po kilku minutach nie ma wiadomości? Prosimy zajrzeć do niechcianych i spróbować innych swoich adresów.
   *[other] Link pokazuje zamówienia i bilety i działa { $hours } godziny. Po kilku minutach nie ma wiadomości? Prosimy zajrzeć do niechcianych i spróbować innych swoich adresów.
}
find-most = { $hours ->
    [one] Na jeden adres wysyłamy najwyżej { $mails } wiadomości na godzinę.
    [few] Na jeden adres wysyłamy najwyżej { $mails } wiadomości na { $hours } godziny.
    [many] Na jeden adres wysyłamy najwyżej { $mails } wiadomości na { $hours } godzin.
   *[other] Na jeden adres wysyłamy najwyżej { $mails } wiadomości na { $hours } godziny.
}
find-other = Spróbuj innego adresu

## What a mailed link opens

found-title = Twoje zamówienia i bilety
found-bought = Kupione z tym adresem e-mail. Link działa do { $date }.
found-nothing = Nie ma już nic do pokazania.
found-older = Są starsze zamówienia. Prosimy zalogować się tak jak przy zakupie.
found-show = { $count ->
    [one] Pokaż { $count } bilet
    [few] Pokaż { $count } bilety
    [many] Pokaż { $count } biletów
   *[other] Pokaż { $count } biletu
}
found-passed = Przekazane innym: { $places }.
found-returned = Oddane: { $places }.
found-ordered = Zamówiono { $date }, zamówienie { $order }
found-ended = Ten link niczego nie otwiera
found-ended-text = Link z naszej wiadomości działa 24 godziny. Ten jest starszy albo nie został skopiowany w całości.
found-ask-new = Poproś o nowy link
