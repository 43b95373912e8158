# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = in a moment
soon-seconds = { $count ->
    [one] in { $count } second
   *[other] in { $count } seconds
}
soon-minutes = { $count ->
    [one] in about { $count } minute
   *[other] in about { $count } minutes
}
estimate-under-seconds = { $count ->
    [one] less than { $count } second
   *[other] less than { $count } seconds
}
estimate-under-minutes = { $count ->
    [one] less than { $count } minute
   *[other] less than { $count } minutes
}
estimate-under-hours = { $count ->
    [one] less than { $count } hour
   *[other] less than { $count } hours
}
estimate-about-seconds = { $count ->
    [one] about { $from }–{ $count } second
   *[other] about { $from }–{ $count } seconds
}
estimate-about-minutes = { $count ->
    [one] about { $from }–{ $count } minute
   *[other] about { $from }–{ $count } minutes
}
estimate-about-hours = { $count ->
    [one] about { $from }–{ $count } hour
   *[other] about { $from }–{ $count } hours
}
estimate-over-seconds = { $count ->
    [one] more than { $count } second
   *[other] more than { $count } seconds
}
estimate-over-minutes = { $count ->
    [one] more than { $count } minute
   *[other] more than { $count } minutes
}
estimate-over-hours = { $count ->
    [one] more than { $count } hour
   *[other] more than { $count } hours
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, rarely more than { $count } second
   *[other] { $about }, rarely more than { $count } seconds
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, rarely more than { $count } minute
   *[other] { $about }, rarely more than { $count } minutes
}
estimate-rarely-hours = { $count ->
    [one] { $about }, rarely more than { $count } hour
   *[other] { $about }, rarely more than { $count } hours
}

## News of the sale, for those who wait

news-paused = The organiser has paused the sale. You keep your place.
news-none-free = Nothing is free at this moment. Seats in other baskets may come back, and you keep your place until all are sold.
news-few-left = { $count ->
    [one] Few are left: { $count } place. They may be gone before you are admitted.
   *[other] Few are left: { $count } places. They may be gone before you are admitted.
}

## Being called, and the turn to pay

call-me = Call me when it is my turn
call-sound = We call you with a sound
call-sound-and-note = We call you with a sound and a notification
turn-busy = Many buyers are paying just now.
turn-away = The payment provider does not answer at the moment.
turn-opens = { $why } Your seats are kept. Payment opens in { $clock }.
turn-kept = { $why } Your seats are kept.
turn-goes-on = This page goes on by itself: please leave it open.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = This sign-in was not begun in this window, or it was finished before. For your safety it counts for nothing. Please sign in here.
problem-sign-in-declined = The sign-in was cancelled. You can look around without it; tickets need to know who you are.
problem-sign-in-failed = The sign-in service could not finish this. Nothing was lost; please try again.
problem-sign-in-refused = This sign-in took too long, or it was used before. Please sign in again.
problem-sign-in-unavailable = Signing in is not possible right now. Nothing was lost; please try again in a moment.
problem-nothing-kept = Your browser keeps nothing for this site, so you would be a stranger here when you come back from signing in. Please allow cookies and site data for this site, or open it in another window or browser.
problem-forbidden = This belongs to somebody else.
problem-not-eligible = This sale is not open to your account.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Your account is too new for this sale.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = You cannot come in yet.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Too many unusual requests came from this account, so it has to rest for a while.
problem-malformed-input-email = No mail can be sent to this address. Please check it.
problem-malformed-input-postal_address = What the organiser asks for has just changed. Please check your name and address.
problem-malformed-input-postal_address-part = This is missing, too long, or has a character that cannot be printed.
problem-malformed-input-terms = Please accept the terms of the seller first.
problem-seats-taken = Somebody was faster: one of these seats has just been taken.
problem-single-seat = This would leave one seat alone. Please move by one.
problem-no-seats-found = No seats match this wish. Try fewer seats, another price or another section.
problem-possible-together = Free together: { $what }.
problem-possible-whole = Free: a table or box for { $what }.
problem-possible-section = There are seats in section { $what }.
problem-possible-area = There are places without numbers in { $what }.
problem-wrong-state = This can no longer be done.
problem-wrong-state-not-sold = This order was not paid for, so there is no invoice.
problem-wrong-state-no-seller = The organiser gives no invoices for this event.
problem-wrong-state-not-yet = The invoice is made within minutes after the time to pay is over. Please try again then.
problem-wrong-state-no-mail = Tickets cannot be found by mail here, because no mail is sent. Please sign in as you did when you bought them, or contact the box office.
problem-wrong-state-being-made = Your tickets are being made. Please try again in a moment.
problem-wrong-state-event-cancelled = The organiser has cancelled this event. All that was paid goes back to the buyer by itself.
problem-wrong-state-void = Tickets that are not valid cannot be cancelled or passed on. Please contact the organiser.
problem-wrong-state-never = The organiser does not offer this for these tickets.
problem-wrong-state-too-late = The time for this is over.
problem-wrong-state-withdrawn = This offer was withdrawn. The person who passes the ticket on can send a new link.
problem-wrong-state-own = This is your own ticket. Send the link to the person who is to have it.
problem-wrong-state-accepted = This ticket has already been accepted, and it is not yours now.
problem-wrong-state-too-often = This ticket has been passed on as often as it may be. It stays with you.
problem-wrong-state-passed-on = A ticket was passed on, and its place is no longer yours.
problem-version-conflict = Something changed in between. Please try again.
problem-hold-expired = The time for these seats ran out, and they were given back.
problem-session-expired = Your time to choose is over, and your seats were given back.
problem-sale-over = The sale is over.
problem-payment-waits = Many buyers are paying just now. Your seats are kept; please try again in a moment.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Your seats are kept; please try again in a moment.
problem-payment-refused = This order can no longer be paid.
problem-payment-refused-already-refunded = This payment has already been given back.
problem-payment-refused-disputed = Your bank is taking this payment back, so it cannot be refunded here.
problem-payment-refused-failed = The refund was sent, and the bank returned it. Please contact the box office.
problem-payment-refused-invalid = The payment provider does not accept this. Please contact the box office.
problem-payment-refused-too-late = The time to pay for this order is over.
problem-payment-refused-too-old = This payment is too old to be refunded to the card. Please contact the box office.
problem-payment-refused-unknown-payment = The payment provider does not know this payment. Please contact the box office.
problem-idempotency-mismatch = This request was already made in another form. Please reload the page.
problem-limit-exceeded = That is more than one buyer may have.
problem-limit-exceeded-address = That is more places than one postal address may have.
problem-limit-is = { $text } The limit is { $limit }.
problem-until = { $text } Your seats stay yours until { $time } at the latest.
problem-dependency-unavailable-settling = It is not settled yet whether these seats have been paid for.
problem-too-early = That was a little early. The page tries again by itself.
problem-link-ended = This link opens nothing. A link works for 24 hours: please ask for a new one.
problem-waiting-token-ended = You had to be given a new place. The draw is the same.

## Small parts

part-copied = Copied
part-copy-yourself = Please copy it yourself
part-close-notice = Close this notice

## A page that needs a sign-in

sign-in-again = Sign in again
sign-in-failed = You are not signed in
sign-in-heading = Please sign in
sign-in-heading-again = Please sign in again
sign-in-why-wait = One person has one place in the waiting room, so we need to know who you are.
sign-in-why-theirs = Orders and tickets are shown to whom they belong alone, so we need to know who you are.
sign-in-why-accept = Somebody passes a ticket on to you. Sign in to see it and to take it: from then on it stands under “My orders”. Nothing is charged.
sign-in-why-ended = Your sign-in has ended. That alone costs you nothing: your place in the waiting room and seats that you hold are there until their own time is over. Please sign in as the same person.
sign-in-lost-tickets = Have you lost your tickets? { $link }.
sign-in-lost-tickets-link = Find them by e-mail

## Whom a sale is open to

account-members-until = Until { $date }, only members may buy tickets ({ $names }). Then the sale opens for everybody.
account-members = Only members may buy tickets ({ $names }).
account-phone = Your account needs a verified phone number.
account-days = { $count ->
    [one] Your account has to be at least { $count } day old.
   *[other] Your account has to be at least { $count } days old.
}
account-address-limit = { $count ->
    [one] One postal address may have at most { $count } place in all orders.
   *[other] One postal address may have at most { $count } places in all orders.
}
account-card-limit = { $count ->
    [one] One payment card may pay for at most { $count } place in all orders.
   *[other] One payment card may pay for at most { $count } places in all orders.
}
account-no-phone = Your account has no verified phone number, so you cannot buy tickets for this event. Please verify your number where you sign in, then sign out here and sign in again.
account-too-young = { $count ->
    [one] Accounts for this event have to be at least { $count } day old. Yours was made on { $since }, so you cannot buy tickets for it.
   *[other] Accounts for this event have to be at least { $count } days old. Yours was made on { $since }, so you cannot buy tickets for it.
}
account-age-unknown = { $count ->
    [one] Accounts for this event have to be at least { $count } day old, and your sign-in does not say how old yours is. So you cannot buy tickets for this event.
   *[other] Accounts for this event have to be at least { $count } days old, and your sign-in does not say how old yours is. So you cannot buy tickets for this event.
}
account-no-member-yet = Your account is no member. Please come back at { $date }: coming earlier gains nothing.
account-no-member = Your account is no member, so you cannot buy tickets for this event.

## The waiting room

wait-title = Waiting room: { $event }
wait-heading-joining = Taking your place…
wait-heading-elsewhere = Another window holds your place
wait-heading-solving = A short check of your browser…
wait-heading-waiting = You are in the waiting room
wait-heading-prequeue = You are early, and your place is safe
wait-heading-asking = Asking whether you can come in…
wait-heading-paused = The sale is paused
wait-heading-full = You are nearly in
wait-heading-settling = Your last order is being settled
wait-heading-locked = You cannot come in yet
wait-heading-busy = The service is very busy
wait-heading-offline = The connection is lost
wait-heading-strange = Something in this network answers in our place
wait-heading-stripped = Something in this network takes out a part of what this page sends
wait-text-joining = One moment.
wait-text-elsewhere = Go on there. This one takes over by itself when that one is closed.
wait-text-solving = Your device does a small piece of work, so that nobody can send thousands of robots.
wait-text-waiting = Places are drawn fairly, and the longer you wait the better your chance. We let you in automatically.
wait-text-prequeue = All who are here when the sale starts have the same chance: being first gains nothing.
wait-text-asking = One moment.
wait-text-paused = The organiser has stopped the line for a moment. You keep your place, and it goes on by itself.
wait-text-full = All places inside are taken at this moment. They go in the order of the draw, so asking sooner helps nobody.
wait-text-settling = You keep your place, and the page tries again by itself.
wait-text-locked = You keep your place, and the page tries again by itself.
wait-text-busy = Your place is safe. The page tries again by itself.
wait-text-offline = Your place is safe on this device. The page goes on when the connection returns.
wait-text-strange = We try again; your place is safe. If this network asks for a sign-in, open its page; else another network helps, such as that of your phone.
wait-text-stripped = Without it we cannot know your place. We try again; your place is safe. Mostly another network helps, such as that of your phone.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Your place ended while this page was asleep, so you have a new one: you wait from now on.
wait-noticed = Unusual requests were noticed from this account, so your browser does a longer check.
wait-hint-open = Leave this page open. You may reload it, or lock the screen for a few minutes: you keep your place.
wait-hint-windows = Refreshing, more windows or a faster line do not help anyone.
wait-leave = Leave the waiting room
wait-really-leave = Really leave? Your place is given up
wait-starts-in = The sale starts in
wait-fact-estimate = Your wait from now
wait-fact-unknown = not known yet
wait-fact-starts = The sale starts
wait-fact-since = Waiting for
wait-fact-next = Next look
wait-fact-now = now
wait-turn = It is your turn
wait-you-are-in = You are in until { $until }. Please choose your seats.
in-title = You are in: { $event }
in-heading = You are in
in-since = You were let in at { $from }. Your time to choose runs, and ends at { $until }.
in-until = Your time to choose runs, and ends at { $until }.
in-choose = Choose seats
in-steps = What to do
in-step-choose = Choose a section on the map, or let us find the best seats: up to { $limit } at a time.
in-step-hold = Hold your seats. What is only chosen is still free for others.
in-step-pay = Go to checkout before your time ends. Time to pay after that: { $time }.
in-ends = When your time ends, what you hold goes back to others.
wait-room-full = The waiting room is full
wait-room-full-text = Nobody new is taken in. Buyers who already wait are still admitted. We are sorry that you came too late this time.
wait-sale-over = The sale is over
wait-sold-out = Sold out
wait-sold-out-text = Every seat has found somebody. We are sorry that it was not you this time; you were part of a fair draw.
wait-closed-text = The sale has ended. Thank you for waiting.
wait-break-open = Please use one window and do not refresh; the page asks by itself.
wait-lock-ends = This ends in
wait-lock-person = A person at the organiser has decided this. The reason: { $reason }
wait-appeal-text = What should the person know? (optional)
wait-appeal-ask = Ask a person to look
wait-appealed = A person has been asked to look. If they let you in, this page goes on at once; else it goes on when the time is over. There is nothing more for you to do.
wait-used-up = You cannot come in again
wait-used-up-text = You have used all your sessions for this event, and would wait in vain.
wait-not-eligible = This sale is not open to your account
wait-trying-again = We try again by ourselves.
room-as-of = Free places as of { $time }.
ready-title = Have ready
ready-sign-in = You are signed in. There is no more to do for that.
ready-pay = A card or wallet to pay with, and the app by which your bank asks you.
ready-address = Your postal address: checkout asks for it.
ready-wishes = What you like to pay, and two other choices.
ready-limit = Places for one account: up to { $limit }.
ready-times = Time to choose: { $choose }. Time to pay after that: { $pay }.

## The end of a session

session-time-over = Your time to choose is over, and your seats were given back so that others can have them.
session-none = There is no open session for you here. If your time ran out, your seats were given back.
session-ended = This session has ended.
session-over = Your session is over
session-ordered = You have ordered
session-ordered-text = Your order for this event is safe. You have no open session for it now.

## The sale

sale-title = Choose your seats: { $event }
sale-time = Time left
sale-time-left = { $time } left
sale-one-minute = One minute left.
sale-to-venue = Back to the whole venue
sale-show-list = Show as a list
sale-show-map = Show the map
sale-seat-taken = { $seat } is taken.
sale-seat-mine = { $seat } is already held for you.
sale-seat-chosen = { $seat } chosen
sale-seat-unchosen = { $seat } no longer chosen
sale-limit = One buyer may hold up to { $limit }. Give one back to choose another.
sale-limit-held = { $count ->
    [one] One buyer may hold up to { $limit }, and { $count } is held already.
   *[other] One buyer may hold up to { $limit }, and { $count } are held already.
}
sale-held = Held for you: { $seats }.
sale-given-back = Given back.
sale-faster = { $count ->
    [one] Somebody was faster: { $seats } is taken.
   *[other] Somebody was faster: { $seats } are taken.
}
sale-faster-others = The others are still chosen, and not held yet.
sale-faster-choose = Please choose another.
sale-being-taken = Somebody else is taking { $seats } at this moment. If they do not, it is free again in a few seconds.
sale-just-taken = Just taken by somebody else: { $seats }.
sale-outdated = The map is not up to date at this moment. Seats that you hold are safe.
sale-seats = { $count ->
    [one] { $count } seat
   *[other] { $count } seats
}

## Beside the map

panel-title = Your seats
panel-key = On the map small grey dots are taken or hidden by your prices, stripes mean that few are left, and ✓ is yours.
panel-to-map = Back to the map
panel-to-seats = Your seats and the best available
panel-best = Best available
panel-any-price = Any price
panel-find = Find and hold seats
panel-seats = Seats
panel-price = Price
panel-where = Where
panel-anywhere = Anywhere
panel-wheelchair = With a wheelchair space
panel-holding = Holding…
panel-hold = { $count ->
    [one] Hold { $count } seat
   *[other] Hold { $count } seats
}
panel-chosen-title = { $count ->
    [one] Chosen: { $count } seat
   *[other] Chosen: { $count } seats
}
panel-chosen = { $count ->
    [one] { $count } seat chosen
   *[other] { $count } seats chosen
}
panel-held = { $count ->
    [one] { $count } seat held
   *[other] { $count } seats held
}
panel-not-held = Not held yet.
panel-held-title = Held for you
panel-total = Total
panel-fees = All fees are in the total.
panel-go-to-checkout = Go to checkout
panel-checkout = Checkout
panel-nothing = Nothing held yet
panel-empty = Nothing is held yet. Choose a section on the map, or let us find the best seats. You may hold up to { $limit }.
panel-not-this = Do not take { $seat }
panel-give-back = Give back
panel-give-these-back = Give these back

## Seats as a list

list-row = Row { $row }
list-free = { $count ->
    [one] { $count } seat free
   *[other] { $count } seats free
}
list-none-free = none free
list-state-mine = held for you
list-state-gone = taken
list-kind-accessible = accessible
list-kind-companion = companion
list-table-for = table for { $count }
list-box-for = box for { $count }

## An area without numbered seats

area-hold = Hold places
area-free-seating = No numbered seats: stand or sit where you like.
area-free-seating-price = No numbered seats: stand or sit where you like. { $price } each.
area-how-many = How many
area-left = { $count ->
    [one] { $count } place left
   *[other] { $count } places left
}
area-none-left = None left at this moment
