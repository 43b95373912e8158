"""The words of every mail, in English. ``german.py`` has the same keys."""

from __future__ import annotations

TEXTS = {
    "days": "Mon Tue Wed Thu Fri Sat Sun",
    "months": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "moment": "{day} {date} {month} {year}, {time} {zone}",
    "amount": "{currency} {amount}",
    "points": ". ,",
    "zones": "",
    "order": "Order {order}",
    "page": "See your order",
    "why": "You get this because tickets were ordered with this address.",
    "seller": "Seller",
    "seller.mail": "Questions to",
    "seller.phone": "Phone",
    "seller.imprint": "Imprint",
    "seller.terms": "Terms",
    "seller.privacy": "Privacy",
    "back": "Goes back to you",
    "kept": "Kept by the terms of your order",
    "nothing-back": "By the terms of your order nothing goes back.",
    "way-back": "It goes back the way you paid. We write again when it has been sent.",
    "tickets.tickets.subject": "Your tickets for {event}",
    "tickets.tickets.text": "Thank you! Your {count} tickets are attached.",
    "tickets.tickets.one": "Thank you! Your ticket is attached.",
    "tickets.note": "Each code admits one person, once. Please keep it to yourself.",
    "cancelled.order.subject": "Cancelled: your order for {event}",
    "cancelled.order.text": (
        "Your order is cancelled, as you asked. Its tickets are no longer valid."
    ),
    "cancelled.place.subject": "Given back: a place at {event}",
    "cancelled.place.text": (
        "You have given back the place named below: its ticket is no longer valid. The rest of your"
        " order does not change."
    ),
    "cancelled.event.subject": "{event} is cancelled",
    "cancelled.event.text": (
        "The organiser has cancelled this event. We are sorry. Your tickets are no longer valid,"
        " and all that you paid goes back to you; you do not have to do anything."
    ),
    "cancelled.void.subject": "Void: tickets for {event}",
    "cancelled.void.text": (
        "The organiser has made the tickets named below void: they are no longer valid. If you do"
        " not know why, please ask the organiser."
    ),
    "refund.all.subject": "Your refund for {event}",
    "refund.all.text": "The rest of what you paid for this order is on its way back to you.",
    "refund.part.subject": "Your refund for {event}",
    "refund.part.text": "A part of what you paid for this order is on its way back to you.",
    "refund.second.subject": "Your refund for {event}",
    "refund.second.text": (
        "This order was paid more than once. The extra payment is on its way back to you."
    ),
    "refund.unsold.subject": "Your refund for {event}",
    "refund.unsold.text": (
        "Your payment came too late: the places could not be sold to you any more. All of it is on"
        " its way back to you."
    ),
    "refund.amount": "Refund",
    "refund.note": "It goes the way you paid; banks take up to ten days to show it.",
    "refund.credit-note": "A credit note for it will be on your order's page.",
    "payment.declined.subject": "Your payment for {event} was declined",
    "payment.declined.text": (
        "The payment was declined, and nothing was taken. Your places are kept until {until}: until"
        " then you can pay another way."
    ),
    "payment.unsold.subject": "Your payment for {event} goes back",
    "payment.unsold.text": (
        "Your payment came too late: the places could not be sold to you any more, so you have no"
        " tickets. All of it goes back the way you paid; you do not have to do anything."
    ),
    "payment.returned.subject": "Your refund for {event} did not arrive",
    "payment.returned.text": (
        "Your refund came back to us. The organiser will send it another way; you do not have to do"
        " anything now."
    ),
    "payment.disputed.subject": "Your tickets for {event} are not valid for now",
    "payment.disputed.text": (
        "Your bank is taking the payment back, because somebody disputed it. Your tickets are not"
        " valid until the bank has decided. If you do not know why, please ask your bank."
    ),
    "payment.restored.subject": "Your tickets for {event} are valid again",
    "payment.restored.text": (
        "Your bank has decided that the payment stays. Your tickets are valid again; their codes"
        " are the same."
    ),
    "payment.charged-back.subject": "Your tickets for {event} are void",
    "payment.charged-back.text": (
        "Your bank has decided that the payment goes back to you. Your tickets are no longer valid."
    ),
    "changed.changed.subject": "Changed: {event}",
    "changed.changed.text": (
        "The organiser has changed this event. Your tickets stay valid, and their codes are the"
        " same."
    ),
    "changed.name": "Name",
    "changed.artist": "Artist",
    "changed.start": "Begins",
    "changed.place": "Place",
    "changed.was": "before: {before}",
    "changed.nothing": "not said",
    "changed.calendar": "A calendar file is attached: it updates the entry in your calendar.",
    "passed.passed.subject": "Passed on: your ticket for {event}",
    "passed.passed.text": (
        "The ticket named below was passed on to another account, by its link. The new holder has a"
        " new code; your code is no longer valid."
    ),
    "passed.not-you": (
        "Was this not you? Then secure your account first, and contact the box office with the"
        " number of your order: it can give the ticket back to you."
    ),
}
