# The words of the rules of a sale in German.

rules-title = So läuft der Verkauf: { $event }
rules-draw = So wird gelost
rules-draw-start = Der Warteraum öffnet eine halbe Stunde vor dem Verkauf. Alle, die beim Verkaufsstart dort sind, haben dieselbe Chance: Zuerst da zu sein bringt nichts.
rules-draw-number = Der Zufall gibt jedem eine Zahl. Sie entscheidet, wann man hineinkommt. Wer länger wartet, hat eine bessere Chance, nie eine schlechtere.
rules-draw-late = Wer nach dem Start kommt, wartet von da an.
rules-draw-pace = Es kommen so viele hinein, wie in Ruhe auswählen können. Darum kann die Wartezeit kürzer oder länger werden, als wir sagen.
rules-sign-in = Ein Konto zum Anmelden. Eine Person hat einen Platz im Warteraum.
rules-limits = Was erlaubt ist
rules-single-seat = Eine Auswahl, die einen einzelnen Platz übrig lässt, wird abgelehnt.
rules-gains = Was nichts bringt
rules-refresh = Neu laden
rules-refresh-why = Die Seite fragt von selbst im richtigen Moment. Öfter zu fragen bringt niemanden früher hinein.
rules-windows = Zehn Fenster
rules-windows-why = Alle Fenster einer Person teilen sich einen Platz. Eines fragt, die anderen warten darauf.
rules-line = Eine schnellere Leitung
rules-line-why = Ihre Zahl und Ihre Wartezeit entscheiden, nicht, wer eine Sekunde schneller ist.
rules-robot = Ein Roboter
rules-robot-why = Er hat dieselbe Chance wie Sie. Wer ungewöhnlich oft fragt, bekommt erst eine längere Prüfung und dann eine Pause.
rules-proof = So lässt sich die Verlosung prüfen
rules-proof-before = Die Verlosung hängt an einem geheimen Schlüssel, der nicht unbemerkt getauscht werden kann: Sein Fingerabdruck ist vor dem Verkauf öffentlich. Er lautet { $commitment }
rules-proof-beacon = Ein öffentlicher Wert wird eingemischt, den vorher niemand kennen kann: { $source }.
rules-proof-after = Nach dem Verkauf kann der Veranstalter den Schlüssel veröffentlichen. Damit kann jeder die Zahlen nachrechnen und sehen, ob er zu seiner Zeit hineinkam.
rules-proof-key = Der Schlüssel ist jetzt öffentlich, jeder kann die Zahlen nachrechnen: { $key }
rules-proof-data = Die Angaben der Veranstaltung, zum Nachprüfen
