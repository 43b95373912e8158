# The words of the rules of a sale in Italian.

rules-title = Come funziona la vendita: { $event }
rules-draw = Come funziona il sorteggio
rules-draw-start = La sala d'attesa apre mezz'ora prima della vendita. Tutti quelli che sono lì all'inizio della vendita hanno la stessa possibilità: essere primi non dà vantaggi.
rules-draw-number = Il caso dà a ciascuno un numero, che decide quando si entra. Chi attende di più ha una possibilità migliore, mai peggiore.
rules-draw-late = Chi arriva dopo l'inizio attende da quel momento.
rules-draw-pace = Entrano tanti quanti possono scegliere con calma, perciò l'attesa può diventare più breve o più lunga di quanto diciamo.
rules-sign-in = Un account con cui accedere. Una persona ha un posto nella sala d'attesa.
rules-limits = Che cosa è permesso
rules-single-seat = Una scelta che lascia un posto isolato viene rifiutata.
rules-gains = Che cosa non dà vantaggi
rules-refresh = Aggiornare
rules-refresh-why = La pagina chiede da sola al momento giusto. Chiedere più spesso non fa entrare prima nessuno.
rules-windows = Dieci schede
rules-windows-why = Tutte le finestre di una persona condividono un posto. Una chiede, le altre la aspettano.
rules-line = Una linea più veloce
rules-line-why = Decidono il tuo numero e la tua attesa, non chi è più veloce di un secondo.
rules-robot = Un robot
rules-robot-why = Ha la tua stessa possibilità. Chi chiede troppo spesso riceve prima un controllo più lungo e poi una pausa.
rules-proof = Come verificare il sorteggio
rules-proof-before = Il sorteggio dipende da una chiave segreta, che non si può scambiare di nascosto: la sua impronta è pubblica prima della vendita. È { $commitment }
rules-proof-beacon = Vi si aggiunge un valore pubblico che nessuno può conoscere prima: { $source }.
rules-proof-after = Dopo la vendita l'organizzatore può pubblicare la chiave. Con essa chiunque può ricalcolare i numeri e vedere se è entrato al suo momento.
rules-proof-key = La chiave è pubblica, e chiunque può ricalcolare i numeri: { $key }
rules-proof-data = I dati dell'evento, per chi li verifica
