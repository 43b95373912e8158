# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Przejdź do treści
page-offline = Brak połączenia. Nic nie przepadło: strona ruszy dalej, gdy połączenie wróci.
page-language = Język
page-loading = Ładowanie…
page-loading-title = Ładowanie
page-my-orders = Moje zamówienia
page-find-tickets = Odnajdź moje bilety
page-sign-in = Zaloguj się
page-sign-out = Wyloguj się
page-all-events = Wszystkie wydarzenia
page-to-event = Wróć do wydarzenia
page-to-order = Zobacz zamówienie
page-try-again = Spróbuj ponownie
page-failed = Coś stoi na przeszkodzie
page-not-found = Nie znaleziono

## What goes wrong on any page, by the problem's code

problem-offline = Usługa jest teraz nieosiągalna. Prosimy sprawdzić połączenie i spróbować ponownie.
problem-strange-network = Coś w tej sieci odpowiada za nas. Nic nie przepadło. Jeśli sieć prosi o logowanie, prosimy otworzyć jej stronę; w innym razie spróbować innej sieci, na przykład telefonu.
problem-stripped-request = Coś w tej sieci usuwa część tego, co wysyła ta strona. Nic nie przepadło. Zwykle pomaga inna sieć, na przykład telefonu.
problem-malformed-input = Czegoś w tym żądaniu nie udało się zrozumieć. Prosimy sprawdzić wpisane dane.
problem-not-found = Tego nie ma albo już nie ma.
problem-too-many-requests = Trochę za szybko. Prosimy chwilę odczekać i spróbować ponownie.
problem-dependency-unavailable = Usługa jest bardzo obciążona. Nic nie przepadło; prosimy spróbować za chwilę.
problem-unauthenticated = Prosimy się zalogować.
problem-sign-in-ended = Logowanie wygasło. Prosimy zalogować się ponownie.
problem-internal = Coś poszło nie tak po naszej stronie. Nic nie pobrano. Prosimy spróbować ponownie.

## What a countdown counts

time-days = { $count ->
    [one] dzień
    [few] dni
    [many] dni
   *[other] dnia
}
time-hours = { $count ->
    [one] godzina
    [few] godziny
    [many] godzin
   *[other] godziny
}
time-minutes = { $count ->
    [one] minuta
    [few] minuty
    [many] minut
   *[other] minuty
}
time-seconds = { $count ->
    [one] sekunda
    [few] sekundy
    [many] sekund
   *[other] sekundy
}

## Seats and places

seat-in-row = Rząd { $row }, miejsce { $number }
seat-table = Stolik { $number } dla { $count } os.
seat-box = Loża { $number } dla { $count } os.
seat-section = Sektor { $name }

## The list of events

events-title = Wydarzenia
events-search = Artysta, wydarzenie lub miejsce
events-city = Miasto
events-all-cities = Wszystkie miasta
events-kind = Rodzaj
events-all-kinds = Wszystkie rodzaje
events-from = Od
events-until = Do
events-past = Minione wydarzenia
events-count = { $count ->
    [one] { $count } wydarzenie
    [few] { $count } wydarzenia
    [many] { $count } wydarzeń
   *[other] { $count } wydarzenia
}
events-none-match = Żadne wydarzenie nie pasuje. Strona szuka ponownie sama.
events-none = Nic jeszcze nie jest w sprzedaży. Strona szuka ponownie sama.
events-sale-from = Sprzedaż od { $date }
events-pages = Strony
events-page = Strona { $page } z { $pages }
events-back = Wstecz
events-next = Dalej

## An event's page

event-state-on-sale = W sprzedaży
event-state-coming-up = Wkrótce
event-state-paused = Wstrzymane
event-state-soldout = Wyprzedane
event-state-closed = Zakończone
event-state-cancelled = Odwołane
event-fees-included = Ceny zawierają wszystkie opłaty za bilet.
event-fee-added = Do każdego zamówienia dochodzi opłata { $fee }.
event-sale-starts = Sprzedaż zaczyna się { $date }
event-prices = Ceny
event-about = Opis
event-word = Od organizatora: { $text }
event-travel = Dojazd
event-fullest = Większość kupujących będzie chciała: { $places }. Inne miejsca łatwiej dostać.
event-seat-map = Plan miejsc
event-sections-list = Sektory jako lista
event-ordered = Jest zamówienie na to wydarzenie. { $link }
event-go-on = Wybieraj miejsca dalej
event-says-soldout = Wyprzedane. Każde miejsce ma bilet.
event-says-closed = Sprzedaż się zakończyła.
event-says-used-up = Wszystkie sesje na to wydarzenie zostały wykorzystane, więc czekanie byłoby daremne. Zobacz „Moje zamówienia”.
event-says-draining = Nikt nowy nie może już wejść do poczekalni. Kto już czeka, będzie jeszcze wpuszczony.
event-says-paused = Sprzedaż jest wstrzymana. Miejsce w kolejce pozostaje, a sprzedaż ruszy sama.
event-says-cancelled = Organizator odwołał to wydarzenie. Nic więcej się nie sprzedaje, a wszystkie płatności wracają same.
event-preview = To podgląd. Kupujący jeszcze nie widzą tego wydarzenia i nikt nie może dołączyć.
event-perhaps-soon = Jeśli wydarzenie właśnie opublikowano, strona pokaże je sama w ciągu pół minuty.
event-too-early = Poczekalnia otwiera się pół godziny przed sprzedażą. Wcześniejsze przyjście nic nie daje: wszyscy obecni na początku sprzedaży mają tę samą szansę.
event-enter = Wejdź do poczekalni
event-get-tickets = Kup bilety
event-to-place = Wróć na swoje miejsce
event-before-start = Wszyscy obecni na początku sprzedaży mają tę samą szansę. Nie trzeba odświeżać.
event-after-start = Miejsca losuje się uczciwie. Odświeżanie i kolejne okna niczego nie zmieniają.
event-rules = Jak działa sprzedaż
event-no-map = Planu miejsc nie można teraz pokazać. Można iść dalej bez niego.
event-map-failed = Planu nie można teraz wczytać. Lista jest poniżej.

## The end of the sale

news-sale-ends = Sprzedaż kończy się { $date }, potem nikt już nie wejdzie.
news-sale-ends-late = Sprzedaż kończy się { $date }, potem nikt już nie wejdzie. Czekanie może potrwać dłużej.

## Who sells

seller-questions = Pytania? { $way }
seller-questions-either = Pytania? { $mail } lub { $phone }
seller-sold-by = Sprzedaje { $name }
seller-imprint = Dane firmy
seller-terms = Regulamin
seller-privacy = Prywatność
