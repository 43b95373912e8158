"""The words of every mail, in German. ``english.py`` has the same keys."""

from __future__ import annotations

TEXTS = {
    "days": "Mo. Di. Mi. Do. Fr. Sa. So.",
    "months": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "moment": "{day}, {date}. {month} {year}, {time} Uhr ({zone})",
    "amount": "{amount} {currency}",
    "points": ", .",
    "zones": "CET=MEZ CEST=MESZ",
    "order": "Bestellung {order}",
    "page": "Zur Bestellung",
    "why": "Sie bekommen diese Mail, weil mit dieser Adresse Karten bestellt wurden.",
    "seller": "Verkäufer",
    "seller.mail": "Fragen an",
    "seller.phone": "Telefon",
    "seller.imprint": "Impressum",
    "seller.terms": "AGB",
    "seller.privacy": "Datenschutz",
    "back": "Zurück an Sie",
    "kept": "Einbehalten nach den Bedingungen Ihrer Bestellung",
    "nothing-back": "Nach den Bedingungen Ihrer Bestellung wird nichts erstattet.",
    "way-back": (
        "Der Betrag geht auf demselben Weg zurück, auf dem Sie gezahlt haben. Wir schreiben Ihnen,"
        " sobald er unterwegs ist."
    ),
    "tickets.tickets.subject": "Ihre Karten für {event}",
    "tickets.tickets.text": "Vielen Dank! Ihre {count} Karten sind angehängt.",
    "tickets.tickets.one": "Vielen Dank! Ihre Karte ist angehängt.",
    "tickets.note": ("Jeder Code lässt eine Person ein, einmal. Bitte behalten Sie ihn für sich."),
    "cancelled.order.subject": "Storniert: Ihre Bestellung für {event}",
    "cancelled.order.text": (
        "Ihre Bestellung ist storniert, wie Sie es wollten. Die Karten gelten nicht mehr."
    ),
    "cancelled.place.subject": "Zurückgegeben: ein Platz bei {event}",
    "cancelled.place.text": (
        "Sie haben den unten genannten Platz zurückgegeben: Die Karte dafür gilt nicht mehr. Der"
        " Rest Ihrer Bestellung bleibt, wie er ist."
    ),
    "cancelled.event.subject": "{event} ist abgesagt",
    "cancelled.event.text": (
        "Der Veranstalter hat die Veranstaltung abgesagt. Es tut uns leid. Ihre Karten gelten nicht"
        " mehr, und alles, was Sie gezahlt haben, geht an Sie zurück; Sie brauchen nichts zu tun."
    ),
    "cancelled.void.subject": "Ungültig: Karten für {event}",
    "cancelled.void.text": (
        "Der Veranstalter hat die unten genannten Karten für ungültig erklärt: Sie gelten nicht"
        " mehr. Wenn Sie nicht wissen, warum, fragen Sie bitte den Veranstalter."
    ),
    "refund.all.subject": "Ihre Erstattung für {event}",
    "refund.all.text": "Alles, was von dieser Bestellung übrig war, ist auf dem Weg zu Ihnen.",
    "refund.part.subject": "Ihre Erstattung für {event}",
    "refund.part.text": (
        "Ein Teil dessen, was Sie für diese Bestellung gezahlt haben, ist auf dem Weg zu Ihnen."
    ),
    "refund.second.subject": "Ihre Erstattung für {event}",
    "refund.second.text": (
        "Diese Bestellung wurde mehr als einmal bezahlt. Die Zahlung, die zu viel war, ist auf dem"
        " Weg zu Ihnen."
    ),
    "refund.unsold.subject": "Ihre Erstattung für {event}",
    "refund.unsold.text": (
        "Ihre Zahlung kam, als Ihnen die Plätze nicht mehr verkauft werden konnten. Der ganze"
        " Betrag ist auf dem Weg zu Ihnen."
    ),
    "refund.amount": "Erstattung",
    "refund.note": (
        "Das Geld kommt auf dem Weg, auf dem Sie gezahlt haben; bei Banken dauert es bis zu zehn"
        " Tage."
    ),
    "refund.credit-note": "Eine Gutschrift darüber finden Sie bald auf der Seite Ihrer Bestellung.",
    "payment.declined.subject": "Ihre Zahlung für {event} wurde abgelehnt",
    "payment.declined.text": (
        "Die Zahlung wurde abgelehnt, und nichts wurde abgebucht. Ihre Plätze sind bis {until}"
        " für Sie gehalten: So lange können Sie auf andere Weise zahlen."
    ),
    "payment.unsold.subject": "Ihre Zahlung für {event} geht zurück",
    "payment.unsold.text": (
        "Ihre Zahlung kam, als Ihnen die Plätze nicht mehr verkauft werden konnten; Sie haben also"
        " keine Karten. Der ganze Betrag geht auf demselben Weg zurück; Sie brauchen nichts zu tun."
    ),
    "payment.returned.subject": "Ihre Erstattung für {event} kam nicht an",
    "payment.returned.text": (
        "Die Erstattung, die auf dem Weg zu Ihnen war, kam zurück. Jemand kümmert sich darum und"
        " findet einen anderen Weg; Sie brauchen jetzt nichts zu tun."
    ),
    "payment.disputed.subject": "Ihre Karten für {event} gelten vorerst nicht",
    "payment.disputed.text": (
        "Ihre Bank holt die Zahlung zurück, weil ihr widersprochen wurde. Bis das entschieden ist,"
        " gelten Ihre Karten nicht. Wenn Sie nicht wissen, warum, fragen Sie bitte Ihre Bank."
    ),
    "payment.restored.subject": "Ihre Karten für {event} gelten wieder",
    "payment.restored.text": (
        "Ihre Bank hat entschieden, dass die Zahlung bestehen bleibt. Ihre Karten gelten wieder;"
        " die Codes sind dieselben."
    ),
    "payment.charged-back.subject": "Ihre Karten für {event} sind ungültig",
    "payment.charged-back.text": (
        "Ihre Bank hat entschieden, dass die Zahlung an Sie zurückgeht. Ihre Karten gelten nicht"
        " mehr."
    ),
    "changed.changed.subject": "Geändert: {event}",
    "changed.changed.text": (
        "Der Veranstalter hat diese Veranstaltung geändert. Ihre Karten bleiben gültig, und die"
        " Codes sind dieselben."
    ),
    "changed.name": "Name",
    "changed.artist": "Künstler",
    "changed.start": "Beginn",
    "changed.place": "Ort",
    "changed.was": "vorher: {before}",
    "changed.nothing": "nicht genannt",
    "changed.calendar": (
        "Eine Kalenderdatei ist angehängt: Sie verschiebt den Eintrag, den Sie vielleicht haben."
    ),
    "passed.passed.subject": "Weitergegeben: Ihre Karte für {event}",
    "passed.passed.text": (
        "Die unten genannte Karte wurde über ihren Link an ein anderes Konto weitergegeben. Wer sie"
        " jetzt hat, hat einen eigenen Code; Ihr bisheriger Code ist ungültig und lässt niemanden"
        " mehr ein."
    ),
    "passed.not-you": (
        "Waren Sie das nicht? Dann sichern Sie zuerst Ihre Anmeldung, und wenden Sie sich mit der"
        " Nummer Ihrer Bestellung an die Kasse des Veranstalters: Sie kann Ihnen die Karte"
        " zurückgeben."
    ),
}
