# The words of the rules of a sale in Polish.

rules-title = Jak działa sprzedaż: { $event }
rules-draw = Jak działa losowanie
rules-draw-start = Poczekalnia otwiera się pół godziny przed sprzedażą. Wszyscy obecni na początku sprzedaży mają tę samą szansę: bycie pierwszym nic nie daje.
rules-draw-number = Przypadek daje każdemu liczbę. Ona decyduje, kiedy się wchodzi. Kto czeka dłużej, ma większą szansę, nigdy mniejszą.
rules-draw-late = Kto przychodzi po rozpoczęciu, czeka od tej chwili.
rules-draw-pace = Wchodzi tylu, ilu może spokojnie wybierać. Dlatego czekanie może się skrócić lub wydłużyć.
rules-sign-in = Konto do logowania. Jedna osoba ma jedno miejsce w poczekalni.
rules-limits = Co jest dozwolone
rules-single-seat = Wybór, który zostawia jedno samotne miejsce, jest odrzucany.
rules-gains = Co nic nie daje
rules-refresh = Odświeżanie
rules-refresh-why = Strona pyta sama we właściwej chwili. Częstsze pytanie nikogo nie wpuści wcześniej.
rules-windows = Dziesięć kart
rules-windows-why = Wszystkie okna jednej osoby mają wspólne miejsce. Jedno pyta, inne na nie czekają.
rules-line = Szybsze łącze
rules-line-why = Decydują liczba i czas czekania, a nie to, kto jest o sekundę szybszy.
rules-robot = Robot
rules-robot-why = Ma taką samą szansę. Kto pyta niezwykle często, dostaje najpierw dłuższe sprawdzenie, a potem przerwę.
rules-proof = Jak sprawdzić losowanie
rules-proof-before = Losowanie zależy od tajnego klucza, którego nie można niepostrzeżenie wymienić: jego odcisk jest jawny przed sprzedażą. Oto on: { $commitment }
rules-proof-beacon = Dodaje się jawną wartość, której nikt nie może znać wcześniej: { $source }.
rules-proof-after = Po sprzedaży organizator może ogłosić klucz. Z nim każdy może przeliczyć liczby i zobaczyć, czy wpuszczono go we właściwej chwili.
rules-proof-key = Klucz jest już jawny, każdy może przeliczyć liczby: { $key }
rules-proof-data = Dane wydarzenia, dla tych, którzy je sprawdzają
