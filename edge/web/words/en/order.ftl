# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Checkout: { $event }
checkout-heading = Checkout
checkout-fee-order = Fee per order
checkout-fee-ticket = { $count } × fee per ticket
checkout-pay = Pay { $sum }
checkout-moment = One moment…
checkout-email = E-mail for your tickets
checkout-provider = You pay on the payment provider’s page. We never see your card.
checkout-accept = I accept the { $terms }
checkout-terms = terms of the seller
checkout-terms-new = The seller has new terms. Please read and accept them.
checkout-change-seats = ← Change seats

## The buyer's address

postal-heading = Your name and address
postal-name = Name
postal-street = Street and number
postal-postcode = Postal code (if there is one)
postal-city = City
postal-country = Country

## What has become of an order

order-title-pending = Waiting for your payment
order-text-pending = As soon as the payment provider tells us, your tickets appear here.
order-title-paid = Paid. Your tickets are being made
order-text-paid = This takes a few seconds.
order-title-ticketed = Your tickets
order-title-failed = You gave these seats back
order-text-failed = Nothing was charged.
order-title-expired = The time to pay is over
order-text-expired = Nothing was charged, and your seats were given back.
order-title-refund-due = Your money goes back to you
order-text-refund-due = The payment arrived after your seats had gone, so they could not be kept for you.
order-title-refunded = Your money was sent back
order-title-cancelled = The order was cancelled
order-text-cancelled = The tickets are no longer valid.
order-title-disputed = Your tickets are on hold
order-text-disputed = Your bank has asked for this payment back, so the tickets are not valid for now. If that was a mistake, please tell your bank: once it withdraws, they are valid again.
order-title-charged-back = This order is over
order-text-charged-back = Your bank took the payment back, and the tickets are no longer valid. Nothing more is charged.
order-title-declined = Your card was declined
order-text-declined = Your bank declined the card. Nothing was charged. Your seats are yours until { $time }.
order-title-card-limit = This card has reached its limit
order-text-card-limit = This card has already bought as many places as one card may. Nothing was charged. Your seats are yours until { $time }.
order-title-all-passed-on = You have passed your tickets on
order-text-all-passed-on = Others have them now, each with a code of its own.
order-title-event-cancelled = The event is cancelled
order-text-event-cancelled = The organiser has cancelled this event. Your tickets are no longer valid, and all that you paid goes back to you.
order-title-settling = Finding out whether you have paid
order-text-settling = The time to pay is over, and the payment provider has not said yet whether you have paid. If you have, your tickets appear here. If not, the seats go back, at { $time } at the latest.
order-text-settling-late = The time to pay is over, and the payment provider has not said yet whether you have paid. If you have, you get your tickets here, or your money back where others have the seats by now.
order-title-void = Your tickets are void
order-text-void = The organiser has made them void. They are no longer valid. Please contact the organiser about it.
order-text-void-these = These tickets are void: { $labels }. They are no longer valid. Please contact the organiser about it.
order-word-pending = To be paid
order-word-paid = Paid
order-word-ticketed = Tickets
order-word-failed = Given back
order-word-expired = Not paid
order-word-refund-due = Refund
order-word-refunded = Refunded
order-word-cancelled = Cancelled
order-word-disputed = On hold
order-word-charged-back = Over
order-word-event-cancelled = Event cancelled
order-word-none-left = No ticket left
order-refunding = It is being refunded. Banks take some days for it. Has the money not come by then? Please contact the box office.
order-refund-owed = { $sum } is about to be sent back to you. Banks take some days for it. Has the money not come by then? Please contact the box office.
order-refund-sent = { $sum } is on its way back to you. Banks take some days for it. Has the money not come by then? Please contact the box office.
order-refund-arrived = { $sum } was sent back to you. Your bank may take some days to show it.
order-refund-attention = Your refund of { $sum } did not reach your bank. The organiser has been told and will see to it; you need not do anything now.
order-refund-handled = Your refund of { $sum } did not reach your bank at first, and the organiser has dealt with it. Has it not come? Please contact the box office.
order-title-refund-attention = Your refund needs the organiser
order-title-refund-handled = Your refund was dealt with
order-paid-twice = You paid a second time for this order. { $text }

## An order's page

order-heading = Order
order-payment = Payment
order-copy = Copy
order-vat = incl. { $rate } % VAT, { $sum }
order-postal = Name and postal address: { $address }
order-mails-to = Mails go to { $email }.
order-places = { $count ->
    [one] { $event }, { $count } place
   *[other] { $event }, { $count } places
}
order-calendar = Add to calendar
order-invoice = Invoice (PDF)
order-to-payment = Go to the payment page
order-unpaid = Not paid yet. If the card was declined, or you came back without paying: nothing was charged, and you can try again.
order-held-for = Your seats are held for { $clock } more.
order-change-address = Change the address
order-tickets-go-to = Tickets go to { $email }
order-address-changed = The address is changed.
order-give-back = Give the seats back
order-give-back-really = Really give the seats back?
order-too-late = The time to pay for these seats is over. If you have paid nevertheless, this page shows it.
order-paid-meanwhile = You have just paid for these seats: they are yours.
order-no-news = Your sign-in has ended, so this page shows no more news of your order. { $again }
order-sent-to = Sent to { $email }. It may take some minutes.
order-send-there = Send the tickets there
order-send-again = Change it, or send them again
order-sent-now = The tickets are mailed to { $email }.
order-sent-often = You have had tickets sent several times today. Please try again tomorrow.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Row { $row } · Seat { $number }
place-table = { $section } · { $row } · Table { $number }
place-box = { $section } · { $row } · Box { $number }

## All orders

orders-count = { $count ->
    [one] { $count } ticket · { $sum }
   *[other] { $count } tickets · { $sum }
}
orders-goes-back = { $text } · { $sum } goes back
orders-sent-back = { $text } · { $sum } sent back
orders-none = You have not ordered anything with this sign-in. An order shows here moments after it is made.
orders-older = Older orders
orders-older-failed = The older orders could not be loaded. { $why }
orders-passed-on = Passed on to you
orders-bought = Bought by you
orders-ticket = Ticket
orders-word-passed-on = Passed on
orders-word-void = Void

## Tickets

ticket-show = { $count ->
    [one] Show this code at the door, on the screen or on paper.
   *[other] Show these codes at the door, on the screen or on paper.
}
ticket-all-pdf = Tickets (PDF)
ticket-number = Ticket { $number } of { $total }
ticket-loading = Loading ticket…
ticket-save = Save picture
ticket-picture = { $name }, with its QR code
ticket-offered = Offered until { $date }. Yours until it is taken.
ticket-not-loaded = { $name } could not be loaded.
ticket-load-again = Load again
ticket-gone = Passed on: { $label }
ticket-gone-text = Somebody else has this ticket now. Its code here is void.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Pass a ticket on to somebody else
transfer-ended = Tickets could be passed on until { $date }.
transfer-how = You can until { $date }. You get a link, good for 48 hours at most. The person who opens it and signs in has the ticket, with a new code, and yours is void. Until then the ticket stays yours.
transfer-money = A ticket that was passed on cannot be cancelled by you. Should the event be cancelled, the money goes back to the buyer of the tickets.
transfer-pass = Pass on
transfer-show-link = Show the link
transfer-withdraw = Withdraw
transfer-withdraw-of = Withdraw the offer: { $label }
transfer-offered-until = Offered until { $date }
transfer-here = Here is the link.
transfer-withdrawn = The offer is withdrawn.
transfer-link = Link of the offer
transfer-copy = Copy the link
transfer-good-until = Good until { $date }, for one person. Send it to nobody else.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = A ticket for you
accept-ticket = A ticket
accept-take = Take this ticket
accept-taken = The ticket is yours.
accept-text = Somebody passes this ticket on to you. Once you take it, it has a new code, which is yours alone. It counts as one of the places that you may have at this event.
accept-until = The offer is good until { $date }.
accept-none = No ticket by this link
accept-own = This is the link to your own ticket
accept-not-whole = This link is not whole. Please ask the person who sent it to you.
accept-too-late = The time of this offer is over. Please ask the person who sent you the link.

## Tickets that were passed on

held-title = { $count ->
    [one] Your ticket
   *[other] Your tickets
}
held-cancelled = The organiser has cancelled this event, and your ticket is no longer valid. The money goes back to its buyer.
held-not-now = The ticket is not valid now. Please ask the person who passed it on to you.
held-void = Void: { $labels }. Please contact the organiser about it.
held-passed-on = You have passed your ticket on.

## Giving back

cancel-given-back = Given back: { $label }
cancel-fee = , fee { $sum }
cancel-ended = This order could be cancelled until { $date }.
cancel-how = You can cancel until { $date }. The tickets are void at once, and the seats are sold again.
cancel-heading-place = Cancel a place of this order
cancel-heading-either = Cancel this order or one of its places
cancel-heading-order = Cancel this order
cancel-fee-kept = a fee of { $sum } is kept
cancel-all-left = { $count ->
    [one] All that is left, { $count } ticket
   *[other] All that is left, { $count } tickets
}
cancel-button = Cancel, { $sum } back
cancel-really = Really cancel? { $sum } goes back to you
cancel-really-fee = Really cancel? { $sum } goes back to you; a fee of { $fee } is kept
cancel-done = { $what }: cancelled.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, all { $count } tickets
}

## Tickets that are lost

find-title = Find my tickets
find-how = Type the e-mail address that you gave when you ordered. We send a link to your tickets there.
find-email = E-mail of the order
find-send = Send me the link
find-no-sign-in = You need no sign-in for it. If you can sign in as before, you find everything under { $orders }.
find-sent = Look into your mailbox
find-sent-to = If anything was bought with { $email }, a mail is on its way there.
find-link = { $hours ->
    [one] Its link shows the orders and tickets, and works for { $hours } hour. No mail after some minutes? Please look among unwanted mail, and try the other addresses that you have.
   *[other] Its link shows the orders and tickets, and works for { $hours } hours. No mail after some minutes? Please look among unwanted mail, and try the other addresses that you have.
}
find-most = { $hours ->
    [one] An address is sent { $mails } mails an hour at most.
   *[other] An address is sent { $mails } mails in { $hours } hours at most.
}
find-other = Try another address

## What a mailed link opens

found-title = Your orders and tickets
found-bought = Bought with your mail address. This link works until { $date }.
found-nothing = There is nothing to show any more.
found-older = There are older orders. Please sign in as you did when you bought them.
found-show = { $count ->
    [one] Show { $count } ticket
   *[other] Show { $count } tickets
}
found-passed = Passed on to others: { $places }.
found-returned = Given back: { $places }.
found-ordered = Ordered { $date }, order { $order }
found-ended = This link opens nothing
found-ended-text = A link from our mail works for 24 hours. Yours is older, or it was not copied whole.
found-ask-new = Ask for a new link
