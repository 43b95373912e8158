# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = za chwilę
soon-seconds = { $count ->
    [one] za { $count } sekundę
    [few] za { $count } sekundy
    [many] za { $count } sekund
   *[other] za { $count } sekundy
}
soon-minutes = { $count ->
    [one] za około { $count } minutę
    [few] za około { $count } minuty
    [many] za około { $count } minut
   *[other] za około { $count } minuty
}
estimate-under-seconds = { $count ->
    [one] mniej niż { $count } sekundę
    [few] mniej niż { $count } sekundy
    [many] mniej niż { $count } sekund
   *[other] mniej niż { $count } sekundy
}
estimate-under-minutes = { $count ->
    [one] mniej niż { $count } minutę
    [few] mniej niż { $count } minuty
    [many] mniej niż { $count } minut
   *[other] mniej niż { $count } minuty
}
estimate-under-hours = { $count ->
    [one] mniej niż { $count } godzinę
    [few] mniej niż { $count } godziny
    [many] mniej niż { $count } godzin
   *[other] mniej niż { $count } godziny
}
estimate-about-seconds = { $count ->
    [one] około { $from }–{ $count } sekundy
    [few] około { $from }–{ $count } sekund
    [many] około { $from }–{ $count } sekund
   *[other] około { $from }–{ $count } sekundy
}
estimate-about-minutes = { $count ->
    [one] około { $from }–{ $count } minuty
    [few] około { $from }–{ $count } minut
    [many] około { $from }–{ $count } minut
   *[other] około { $from }–{ $count } minuty
}
estimate-about-hours = { $count ->
    [one] około { $from }–{ $count } godziny
    [few] około { $from }–{ $count } godzin
    [many] około { $from }–{ $count } godzin
   *[other] około { $from }–{ $count } godziny
}
estimate-over-seconds = { $count ->
    [one] ponad { $count } sekundę
    [few] ponad { $count } sekundy
    [many] ponad { $count } sekund
   *[other] ponad { $count } sekundy
}
estimate-over-minutes = { $count ->
    [one] ponad { $count } minutę
    [few] ponad { $count } minuty
    [many] ponad { $count } minut
   *[other] ponad { $count } minuty
}
estimate-over-hours = { $count ->
    [one] ponad { $count } godzinę
    [few] ponad { $count } godziny
    [many] ponad { $count } godzin
   *[other] ponad { $count } godziny
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, rzadko ponad { $count } sekundę
    [few] { $about }, rzadko ponad { $count } sekundy
    [many] { $about }, rzadko ponad { $count } sekund
   *[other] { $about }, rzadko ponad { $count } sekundy
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, rzadko ponad { $count } minutę
    [few] { $about }, rzadko ponad { $count } minuty
    [many] { $about }, rzadko ponad { $count } minut
   *[other] { $about }, rzadko ponad { $count } minuty
}
estimate-rarely-hours = { $count ->
    [one] { $about }, rzadko ponad { $count } godzinę
    [few] { $about }, rzadko ponad { $count } godziny
    [many] { $about }, rzadko ponad { $count } godzin
   *[other] { $about }, rzadko ponad { $count } godziny
}

## News of the sale, for those who wait

news-paused = Organizator wstrzymał sprzedaż. Miejsce w kolejce pozostaje.
news-none-free = W tej chwili nic nie jest wolne. Miejsca z innych koszyków mogą wrócić, a miejsce w kolejce pozostaje, dopóki wszystko nie zostanie sprzedane.
news-few-left = { $count ->
    [one] Zostało mało: { $count } miejsce. Może zniknąć przed wpuszczeniem.
    [few] Zostało mało: { $count } miejsca. Mogą zniknąć przed wpuszczeniem.
    [many] Zostało mało: { $count } miejsc. Mogą zniknąć przed wpuszczeniem.
   *[other] Zostało mało: { $count } miejsca. Mogą zniknąć przed wpuszczeniem.
}

## Being called, and the turn to pay

call-me = Zawołaj mnie, gdy przyjdzie moja kolej
call-sound = Zawołamy dźwiękiem
call-sound-and-note = Zawołamy dźwiękiem i powiadomieniem
turn-busy = Właśnie płaci wielu kupujących.
turn-away = Usługa płatności w tej chwili nie odpowiada.
turn-opens = { $why } Miejsca są zachowane. Płatność otworzy się za { $clock }.
turn-kept = { $why } Miejsca są zachowane.
turn-goes-on = Ta strona ruszy dalej sama: prosimy zostawić ją otwartą.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = To logowanie nie zaczęło się w tym oknie albo już się zakończyło. Dla bezpieczeństwa nie liczy się. Prosimy zalogować się tutaj.
problem-sign-in-declined = Logowanie anulowano. Można oglądać bez niego; do biletów musimy wiedzieć, kto kupuje.
problem-sign-in-failed = Usługa logowania nie mogła tego dokończyć. Nic nie przepadło; prosimy spróbować ponownie.
problem-sign-in-refused = To logowanie trwało za długo albo było już użyte. Prosimy zalogować się ponownie.
problem-sign-in-unavailable = Logowanie nie jest teraz możliwe. Nic nie przepadło; prosimy spróbować za chwilę.
problem-nothing-kept = Przeglądarka nic nie zapisuje dla tej strony, więc po logowaniu nie zostanie rozpoznana. Prosimy zezwolić na pliki cookie i dane tej strony albo otworzyć ją w innym oknie lub innej przeglądarce.
problem-forbidden = To należy do kogoś innego.
problem-not-eligible = Ta sprzedaż nie jest otwarta dla tego konta.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = To konto jest zbyt nowe na tę sprzedaż.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = Jeszcze nie można wejść.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Z tego konta przyszło zbyt wiele nietypowych żądań, więc musi przez chwilę odpocząć.
problem-malformed-input-email = Na ten adres nie można wysłać e-maila. Prosimy go sprawdzić.
problem-malformed-input-postal_address = Organizator właśnie zmienił, jakich danych potrzebuje. Prosimy sprawdzić imię, nazwisko i adres.
problem-malformed-input-postal_address-part = Tego brakuje, jest zbyt długie lub zawiera znak, którego nie można wydrukować.
problem-malformed-input-terms = Prosimy najpierw zaakceptować regulamin sprzedawcy.
problem-seats-taken = Ktoś był szybszy: jedno z tych miejsc właśnie zajęto.
problem-single-seat = Zostałoby jedno wolne miejsce. Prosimy przesunąć się o jedno.
problem-no-seats-found = Żadne miejsca nie pasują do tego życzenia. Prosimy spróbować z mniejszą liczbą miejsc, inną ceną lub innym sektorem.
problem-possible-together = Wolne obok siebie: { $what }.
problem-possible-whole = Wolne: stolik lub loża dla { $what } os.
problem-possible-section = Są miejsca w sektorze { $what }.
problem-possible-area = Są miejsca bez numerów: { $what }.
problem-wrong-state = Tego nie można już zrobić.
problem-wrong-state-not-sold = To zamówienie nie zostało opłacone, więc nie ma faktury.
problem-wrong-state-no-seller = Organizator nie wystawia faktur za to wydarzenie.
problem-wrong-state-not-yet = Faktura powstaje kilka minut po upływie czasu na płatność. Prosimy spróbować ponownie po tym czasie.
problem-wrong-state-no-mail = Nie są tu wysyłane e-maile, więc biletów nie można odszukać przez e-mail. Prosimy zalogować się jak przy zakupie lub skontaktować się z kasą biletową.
problem-wrong-state-being-made = Bilety są przygotowywane. Prosimy spróbować za chwilę.
problem-wrong-state-event-cancelled = Organizator odwołał to wydarzenie. Wszystko, co zapłacono, wraca automatycznie do kupującego.
problem-wrong-state-void = Nieważnych biletów nie można anulować ani przekazać. Prosimy skontaktować się z organizatorem.
problem-wrong-state-never = Organizator nie udostępnia tego dla tych biletów.
problem-wrong-state-too-late = Czas na to minął.
problem-wrong-state-withdrawn = Ta oferta została wycofana. Osoba przekazująca bilet może wysłać nowy link.
problem-wrong-state-own = To twój własny bilet. Link należy wysłać osobie, która ma go otrzymać.
problem-wrong-state-accepted = Ten bilet został już przyjęty i nie jest teraz twój.
problem-wrong-state-too-often = Ten bilet przekazano już tyle razy, ile wolno. Pozostaje u ciebie.
problem-wrong-state-passed-on = Bilet został przekazany i jego miejsce nie jest już twoje.
problem-version-conflict = W międzyczasie coś się zmieniło. Prosimy spróbować ponownie.
problem-hold-expired = Czas na te miejsca minął i zostały zwolnione.
problem-session-expired = Czas na wybór minął i miejsca zostały zwolnione.
problem-sale-over = Sprzedaż się skończyła.
problem-payment-waits = Właśnie płaci wielu kupujących. Miejsca są zachowane; prosimy spróbować za chwilę.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Miejsca są zachowane; prosimy spróbować za chwilę.
problem-payment-refused = Tego zamówienia nie można już opłacić.
problem-payment-refused-already-refunded = Ta płatność została już zwrócona.
problem-payment-refused-disputed = Bank wycofuje tę płatność, więc nie można jej tu zwrócić.
problem-payment-refused-failed = Zwrot został wysłany, a bank go odesłał. Prosimy skontaktować się z kasą biletową.
problem-payment-refused-invalid = Usługa płatności tego nie przyjmuje. Prosimy skontaktować się z kasą biletową.
problem-payment-refused-too-late = Czas na opłacenie tego zamówienia minął.
problem-payment-refused-too-old = Ta płatność jest zbyt dawna, aby zwrócić ją na kartę. Prosimy skontaktować się z kasą biletową.
problem-payment-refused-unknown-payment = Usługa płatności nie zna tej płatności. Prosimy skontaktować się z kasą biletową.
problem-idempotency-mismatch = To żądanie złożono już w innej postaci. Prosimy odświeżyć stronę.
problem-limit-exceeded = To więcej, niż może mieć jeden kupujący.
problem-limit-exceeded-address = To więcej miejsc, niż może mieć jeden adres pocztowy.
problem-limit-is = { $text } Limit wynosi { $limit }.
problem-until = { $text } Miejsca pozostają zachowane najpóźniej do { $time }.
problem-dependency-unavailable-settling = Nie wiadomo jeszcze, czy te miejsca zostały opłacone.
problem-too-early = To było trochę za wcześnie. Strona spróbuje ponownie sama.
problem-link-ended = Ten link niczego nie otwiera. Link działa 24 godziny: prosimy poprosić o nowy.
problem-waiting-token-ended = Trzeba było przydzielić nowe miejsce. Losowanie jest to samo.

## Small parts

part-copied = Skopiowano
part-copy-yourself = Prosimy skopiować samodzielnie
part-close-notice = Zamknij ten komunikat

## A page that needs a sign-in

sign-in-again = Zaloguj się ponownie
sign-in-failed = Nie udało się zalogować
sign-in-heading = Prosimy się zalogować
sign-in-heading-again = Prosimy zalogować się ponownie
sign-in-why-wait = Jedna osoba ma jedno miejsce w poczekalni, dlatego musimy wiedzieć, kto czeka.
sign-in-why-theirs = Zamówienia i bilety widzą tylko ich właściciele, dlatego musimy wiedzieć, kto pyta.
sign-in-why-accept = Ktoś przekazuje bilet. Po zalogowaniu można go zobaczyć i przyjąć: będzie potem w „Moich zamówieniach”. Nic nie jest pobierane.
sign-in-why-ended = Logowanie wygasło. Samo to nic nie kosztuje: miejsce w poczekalni i zarezerwowane siedzenia pozostają do końca własnego czasu. Prosimy zalogować się na to samo konto.
sign-in-lost-tickets = Bilety zginęły? { $link }.
sign-in-lost-tickets-link = Odnajdź je przez e-mail

## Whom a sale is open to

account-members-until = Do { $date } bilety mogą kupować tylko członkowie ({ $names }). Potem sprzedaż otwiera się dla wszystkich.
account-members = Bilety mogą kupować tylko członkowie ({ $names }).
account-phone = Konto musi mieć potwierdzony numer telefonu.
account-days = { $count ->
    [one] Konto musi mieć co najmniej { $count } dzień.
    [few] Konto musi mieć co najmniej { $count } dni.
    [many] Konto musi mieć co najmniej { $count } dni.
   *[other] Konto musi mieć co najmniej { $count } dnia.
}
account-address-limit = { $count ->
    [one] Na jeden adres pocztowy przypada najwyżej { $count } miejsce we wszystkich zamówieniach.
    [few] Na jeden adres pocztowy przypadają najwyżej { $count } miejsca we wszystkich zamówieniach.
    [many] Na jeden adres pocztowy przypada najwyżej { $count } miejsc we wszystkich zamówieniach.
   *[other] Na jeden adres pocztowy przypada najwyżej { $count } miejsca we wszystkich zamówieniach.
}
account-card-limit = { $count ->
    [one] Jedną kartą można zapłacić za najwyżej { $count } miejsce we wszystkich zamówieniach.
    [few] Jedną kartą można zapłacić za najwyżej { $count } miejsca we wszystkich zamówieniach.
    [many] Jedną kartą można zapłacić za najwyżej { $count } miejsc we wszystkich zamówieniach.
   *[other] Jedną kartą można zapłacić za najwyżej { $count } miejsca we wszystkich zamówieniach.
}
account-no-phone = Konto nie ma potwierdzonego numeru telefonu, więc nie można kupić biletów na to wydarzenie. Prosimy potwierdzić numer tam, gdzie odbywa się logowanie, potem wylogować się tutaj i zalogować ponownie.
account-too-young = { $count ->
    [one] Konta na to wydarzenie muszą mieć co najmniej { $count } dzień. To założono { $since }, więc nie można kupić biletów.
    [few] Konta na to wydarzenie muszą mieć co najmniej { $count } dni. To założono { $since }, więc nie można kupić biletów.
    [many] Konta na to wydarzenie muszą mieć co najmniej { $count } dni. To założono { $since }, więc nie można kupić biletów.
   *[other] Konta na to wydarzenie muszą mieć co najmniej { $count } dnia. To założono { $since }, więc nie można kupić biletów.
}
account-age-unknown = { $count ->
    [one] Konta na to wydarzenie muszą mieć co najmniej { $count } dzień, a logowanie nie mówi, ile ma to konto. Dlatego nie można kupić biletów na to wydarzenie.
    [few] Konta na to wydarzenie muszą mieć co najmniej { $count } dni, a logowanie nie mówi, ile ma to konto. Dlatego nie można kupić biletów na to wydarzenie.
    [many] Konta na to wydarzenie muszą mieć co najmniej { $count } dni, a logowanie nie mówi, ile ma to konto. Dlatego nie można kupić biletów na to wydarzenie.
   *[other] Konta na to wydarzenie muszą mieć co najmniej { $count } dnia, a logowanie nie mówi, ile ma to konto. Dlatego nie można kupić biletów na to wydarzenie.
}
account-no-member-yet = To konto nie jest członkowskie. Prosimy wrócić { $date }: wcześniejsze przyjście nic nie daje.
account-no-member = To konto nie jest członkowskie, więc nie można kupić biletów na to wydarzenie.

## The waiting room

wait-title = Poczekalnia: { $event }
wait-heading-joining = Zajmujemy miejsce…
wait-heading-elsewhere = Inne okno trzyma to miejsce
wait-heading-solving = Krótkie sprawdzenie przeglądarki…
wait-heading-waiting = Jesteś w poczekalni
wait-heading-prequeue = Jest jeszcze wcześnie, a miejsce jest bezpieczne
wait-heading-asking = Pytamy, czy można wejść…
wait-heading-paused = Sprzedaż jest wstrzymana
wait-heading-full = Już prawie w środku
wait-heading-settling = Ostatnie zamówienie jest rozliczane
wait-heading-locked = Jeszcze nie można wejść
wait-heading-busy = Usługa jest bardzo obciążona
wait-heading-offline = Połączenie przerwane
wait-heading-strange = Coś w tej sieci odpowiada za nas
wait-heading-stripped = Coś w tej sieci usuwa część tego, co wysyła ta strona
wait-text-joining = Chwileczkę.
wait-text-elsewhere = Prosimy kontynuować tam. To okno przejmie miejsce samo, gdy tamto zostanie zamknięte.
wait-text-solving = Urządzenie wykonuje małą pracę, aby nikt nie mógł wysłać tysięcy robotów.
wait-text-waiting = Miejsca losuje się uczciwie, a im dłuższe czekanie, tym większa szansa. Wpuścimy automatycznie.
wait-text-prequeue = Wszyscy obecni na początku sprzedaży mają tę samą szansę: bycie pierwszym nic nie daje.
wait-text-asking = Chwileczkę.
wait-text-paused = Organizator na chwilę zatrzymał kolejkę. Miejsce pozostaje, a kolejka ruszy sama.
wait-text-full = Wszystkie miejsca w środku są w tej chwili zajęte. Zwalniają się w kolejności losowania, więc wcześniejsze pytanie nikomu nie pomaga.
wait-text-settling = Miejsce pozostaje, a strona spróbuje ponownie sama.
wait-text-locked = Miejsce pozostaje, a strona spróbuje ponownie sama.
wait-text-busy = Miejsce jest bezpieczne. Strona spróbuje ponownie sama.
wait-text-offline = Miejsce jest bezpieczne na tym urządzeniu. Strona ruszy dalej, gdy połączenie wróci.
wait-text-strange = Próbujemy dalej; miejsce jest bezpieczne. Jeśli sieć prosi o logowanie, prosimy otworzyć jej stronę; w innym razie pomaga inna sieć, na przykład telefonu.
wait-text-stripped = Bez tej części nie możemy rozpoznać miejsca. Próbujemy dalej; miejsce jest bezpieczne. Zwykle pomaga inna sieć, na przykład telefonu.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Miejsce wygasło, gdy ta strona spała, więc jest nowe: czekanie liczy się od teraz.
wait-noticed = Zauważono nietypowe żądania z tego konta, więc przeglądarka sprawdza dłużej.
wait-hint-open = Prosimy zostawić tę stronę otwartą. Można ją odświeżyć lub zablokować ekran na kilka minut: miejsce pozostaje.
wait-hint-windows = Odświeżanie, więcej okien ani szybsze łącze nikomu nie pomagają.
wait-leave = Opuść poczekalnię
wait-really-leave = Na pewno opuścić? Miejsce przepadnie
wait-starts-in = Sprzedaż zaczyna się za
wait-fact-estimate = Czekanie od teraz
wait-fact-unknown = jeszcze nieznane
wait-fact-starts = Początek sprzedaży
wait-fact-since = Czekanie trwa
wait-fact-next = Następne sprawdzenie
wait-fact-now = teraz
wait-turn = Twoja kolej
wait-you-are-in = Jesteś w środku do { $until }. Prosimy wybrać miejsca.
in-title = Jesteś w środku: { $event }
in-heading = Jesteś w środku
in-since = Jesteś w środku od { $from }. Czas na wybór biegnie i kończy się o { $until }.
in-until = Czas na wybór biegnie i kończy się o { $until }.
in-choose = Wybierz miejsca
in-steps = Co robić
in-step-choose = Prosimy wybrać sektor na planie albo pozwolić nam znaleźć najlepsze miejsca: najwyżej { $limit } naraz.
in-step-hold = Prosimy zarezerwować miejsca. Tylko wybrane są nadal wolne dla innych.
in-step-pay = Prosimy przejść do kasy przed końcem czasu. Czas na płatność po tym: { $time }.
in-ends = Gdy czas się skończy, zarezerwowane miejsca wracają do innych.
wait-room-full = Poczekalnia jest pełna
wait-room-full-text = Nikt nowy nie jest przyjmowany. Kto już czeka, jeszcze wejdzie. Przykro nam, że tym razem było za późno.
wait-sale-over = Sprzedaż się skończyła
wait-sold-out = Wyprzedane
wait-sold-out-text = Każde miejsce kogoś znalazło. Przykro nam, że tym razem się nie udało; losowanie było uczciwe.
wait-closed-text = Sprzedaż się zakończyła. Dziękujemy za czekanie.
wait-break-open = Prosimy używać jednego okna i nie odświeżać; strona pyta sama.
wait-lock-ends = Koniec za
wait-lock-person = Zdecydował o tym człowiek u organizatora. Powód: { $reason }
wait-appeal-text = Co ta osoba powinna wiedzieć? (nieobowiązkowo)
wait-appeal-ask = Poprosić człowieka o sprawdzenie
wait-appealed = Poproszono człowieka o sprawdzenie. Jeśli pozwoli wejść, strona od razu przejdzie dalej; jeśli nie, przejdzie dalej po upływie czasu. Nic więcej nie trzeba robić.
wait-used-up = Nie można wejść ponownie
wait-used-up-text = Wszystkie sesje na to wydarzenie zostały wykorzystane, więc czekanie byłoby daremne.
wait-not-eligible = Ta sprzedaż nie jest otwarta dla tego konta
wait-trying-again = Próbujemy ponownie sami.
room-as-of = Wolne miejsca o { $time }.
ready-title = Warto przygotować
ready-sign-in = Logowanie jest zakończone. Nic więcej nie trzeba robić.
ready-pay = Karta lub portfel do płatności oraz aplikacja, w której bank prosi o potwierdzenie.
ready-address = Adres pocztowy: kasa o niego pyta.
ready-wishes = Cena, jaką chcesz zapłacić, i dwie inne możliwości.
ready-limit = Miejsca na jedno konto: najwyżej { $limit }.
ready-times = Czas na wybór: { $choose }. Czas na płatność po tym: { $pay }.

## The end of a session

session-time-over = Czas na wybór minął, a miejsca zostały zwolnione, aby inni mogli je dostać.
session-none = Nie ma tu otwartej sesji. Jeśli czas minął, miejsca zostały zwolnione.
session-ended = Ta sesja się zakończyła.
session-over = Sesja się skończyła
session-ordered = Zamówienie złożone
session-ordered-text = Zamówienie na to wydarzenie jest bezpieczne. Nie ma teraz dla niego otwartej sesji.

## The sale

sale-title = Wybór miejsc: { $event }
sale-time = Pozostały czas
sale-time-left = zostało { $time }
sale-one-minute = Została minuta.
sale-to-venue = Wróć do całej sali
sale-show-list = Pokaż jako listę
sale-show-map = Pokaż plan
sale-seat-taken = { $seat } jest zajęte.
sale-seat-mine = { $seat } jest już zarezerwowane dla ciebie.
sale-seat-chosen = { $seat } wybrane
sale-seat-unchosen = { $seat } już nie wybrane
sale-limit = Jeden kupujący może zarezerwować najwyżej { $limit }. Prosimy oddać jedno, aby wybrać inne.
sale-limit-held = { $count ->
    [one] Jeden kupujący może zarezerwować najwyżej { $limit }, a { $count } jest już zarezerwowane.
    [few] Jeden kupujący może zarezerwować najwyżej { $limit }, a { $count } są już zarezerwowane.
    [many] Jeden kupujący może zarezerwować najwyżej { $limit }, a { $count } jest już zarezerwowanych.
   *[other] Jeden kupujący może zarezerwować najwyżej { $limit }, a { $count } jest już zarezerwowane.
}
sale-held = Zarezerwowane dla ciebie: { $seats }.
sale-given-back = Oddane.
sale-faster = { $count ->
    [one] Ktoś był szybszy: { $seats } jest zajęte.
    [few] Ktoś był szybszy: { $seats } są zajęte.
    [many] Ktoś był szybszy: { $seats } są zajęte.
   *[other] Ktoś był szybszy: { $seats } są zajęte.
}
sale-faster-others = Pozostałe są nadal wybrane, ale jeszcze nie zarezerwowane.
sale-faster-choose = Prosimy wybrać inne.
sale-being-taken = Ktoś inny właśnie zajmuje { $seats }. Jeśli nie, za kilka sekund będzie znów wolne.
sale-just-taken = Właśnie zajęte przez kogoś innego: { $seats }.
sale-outdated = Plan nie jest w tej chwili aktualny. Zarezerwowane miejsca są bezpieczne.
sale-seats = { $count ->
    [one] { $count } miejsce
    [few] { $count } miejsca
    [many] { $count } miejsc
   *[other] { $count } miejsca
}

## Beside the map

panel-title = Twoje miejsca
panel-key = Na planie małe szare kropki są zajęte lub ukryte przez wybrane ceny, paski oznaczają, że zostało mało, a ✓ jest twoje.
panel-to-map = Wróć do planu
panel-to-seats = Twoje miejsca i najlepsze wolne
panel-best = Najlepsze wolne miejsca
panel-any-price = Dowolna cena
panel-find = Znajdź i zarezerwuj miejsca
panel-seats = Miejsca
panel-price = Cena
panel-where = Gdzie
panel-anywhere = Gdziekolwiek
panel-wheelchair = Z miejscem na wózek
panel-holding = Rezerwowanie…
panel-hold = { $count ->
    [one] Zarezerwuj { $count } miejsce
    [few] Zarezerwuj { $count } miejsca
    [many] Zarezerwuj { $count } miejsc
   *[other] Zarezerwuj { $count } miejsca
}
panel-chosen-title = { $count ->
    [one] Wybrane: { $count } miejsce
    [few] Wybrane: { $count } miejsca
    [many] Wybrane: { $count } miejsc
   *[other] Wybrane: { $count } miejsca
}
panel-chosen = { $count ->
    [one] wybrano { $count } miejsce
    [few] wybrano { $count } miejsca
    [many] wybrano { $count } miejsc
   *[other] wybrano { $count } miejsca
}
panel-held = { $count ->
    [one] zarezerwowano { $count } miejsce
    [few] zarezerwowano { $count } miejsca
    [many] zarezerwowano { $count } miejsc
   *[other] zarezerwowano { $count } miejsca
}
panel-not-held = Jeszcze nie zarezerwowane.
panel-held-title = Zarezerwowane dla ciebie
panel-total = Razem
panel-fees = Wszystkie opłaty są w sumie.
panel-go-to-checkout = Przejdź do kasy
panel-checkout = Kasa
panel-nothing = Nic jeszcze nie zarezerwowano
panel-empty = Nic jeszcze nie zarezerwowano. Prosimy wybrać sektor na planie albo pozwolić nam znaleźć najlepsze miejsca. Można zarezerwować do { $limit }.
panel-not-this = Nie bierz: { $seat }
panel-give-back = Oddaj
panel-give-these-back = Oddaj te

## Seats as a list

list-row = Rząd { $row }
list-free = { $count ->
    [one] { $count } miejsce wolne
    [few] { $count } miejsca wolne
    [many] { $count } miejsc wolnych
   *[other] { $count } miejsca wolne
}
list-none-free = brak wolnych
list-state-mine = zarezerwowane dla ciebie
list-state-gone = zajęte
list-kind-accessible = dostępne
list-kind-companion = dla opiekuna
list-table-for = stolik dla { $count } os.
list-box-for = loża dla { $count } os.

## An area without numbered seats

area-hold = Zarezerwuj miejsca
area-free-seating = Bez numerowanych miejsc: można stać lub siedzieć, gdzie się chce.
area-free-seating-price = Bez numerowanych miejsc: można stać lub siedzieć, gdzie się chce. Po { $price }.
area-how-many = Ile
area-left = { $count ->
    [one] zostało { $count } miejsce
    [few] zostały { $count } miejsca
    [many] zostało { $count } miejsc
   *[other] zostało { $count } miejsca
}
area-none-left = W tej chwili nie ma wolnych
