# The words of the rules of a sale in Dutch.

rules-title = Zo werkt de verkoop: { $event }
rules-draw = Zo werkt de loting
rules-draw-start = De wachtruimte opent een half uur voor de verkoop. Iedereen die er is als de verkoop begint, heeft dezelfde kans: als eerste komen helpt niet.
rules-draw-number = Het toeval geeft iedereen een getal. Dat bepaalt wanneer u binnenkomt. Wie langer wacht, heeft een betere kans, nooit een slechtere.
rules-draw-late = Wie na het begin komt, wacht vanaf dat moment.
rules-draw-pace = Er komen er zoveel binnen als er rustig kunnen kiezen. Daarom kan het wachten korter of langer worden dan wij zeggen.
rules-sign-in = Een account om mee aan te melden. Eén persoon heeft één plaats in de wachtruimte.
rules-limits = Wat mag
rules-single-seat = Een keuze die één plaats alleen laat, wordt geweigerd.
rules-gains = Wat niet helpt
rules-refresh = Vernieuwen
rules-refresh-why = De pagina vraagt vanzelf op het juiste moment. Vaker vragen brengt niemand eerder binnen.
rules-windows = Tien tabbladen
rules-windows-why = Alle vensters van een persoon delen één plaats. Eén vraagt, de andere wachten daarop.
rules-line = Een snellere lijn
rules-line-why = Uw getal en uw wachttijd beslissen, niet wie een seconde sneller is.
rules-robot = Een robot
rules-robot-why = Hij heeft dezelfde kans als u. Wie ongewoon vaak vraagt, krijgt eerst een langere controle en daarna een pauze.
rules-proof = Zo controleert u de loting
rules-proof-before = De loting hangt aan een geheime sleutel, die niet ongemerkt verwisseld kan worden: zijn vingerafdruk is voor de verkoop openbaar. Die is { $commitment }
rules-proof-beacon = Er wordt een openbare waarde bijgemengd die niemand vooraf kan kennen: { $source }.
rules-proof-after = Na de verkoop kan de organisator de sleutel publiceren. Daarmee kan iedereen de getallen narekenen en zien of hij op zijn moment binnenkwam.
rules-proof-key = De sleutel is nu openbaar, iedereen kan de getallen narekenen: { $key }
rules-proof-data = De gegevens van het evenement, voor wie ze controleert
