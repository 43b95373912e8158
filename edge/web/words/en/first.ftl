# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Skip to content
page-offline = You are offline. Nothing is lost: this page goes on when the connection returns.
page-language = Language
page-loading = Loading…
page-loading-title = Loading
page-my-orders = My orders
page-find-tickets = Find my tickets
page-sign-in = Sign in
page-sign-out = Sign out
page-all-events = All events
page-to-event = Back to the event
page-to-order = See your order
page-try-again = Try again
page-failed = Something is in the way
page-not-found = Not found

## What goes wrong on any page, by the problem's code

problem-offline = The service cannot be reached just now. Please check your connection and try again.
problem-strange-network = Something in this network answers in our place. Nothing was lost. If this network asks for a sign-in, open its page; else try another network, such as that of your phone.
problem-stripped-request = Something in this network takes out a part of what this page sends. Nothing was lost. Mostly another network helps, such as that of your phone.
problem-malformed-input = Something in this request was not understood. Please check what you entered.
problem-not-found = This does not exist, or no longer does.
problem-too-many-requests = That was a bit fast. Please wait a moment and try again.
problem-dependency-unavailable = The service is very busy. Nothing was lost; please try again in a moment.
problem-unauthenticated = Please sign in.
problem-sign-in-ended = Your sign-in has ended. Please sign in again.
problem-internal = Something went wrong on our side. Nothing was charged. Please try again.

## What a countdown counts

time-days = { $count ->
    [one] day
   *[other] days
}
time-hours = { $count ->
    [one] hour
   *[other] hours
}
time-minutes = { $count ->
    [one] minute
   *[other] minutes
}
time-seconds = { $count ->
    [one] second
   *[other] seconds
}

## Seats and places

seat-in-row = Row { $row }, seat { $number }
seat-table = Table { $number } for { $count }
seat-box = Box { $number } for { $count }
seat-section = Section { $name }

## The list of events

events-title = Events
events-search = Artist, event or place
events-city = City
events-all-cities = All cities
events-kind = Kind
events-all-kinds = All kinds
events-from = From
events-until = Until
events-past = Past events
events-count = { $count ->
    [one] { $count } event
   *[other] { $count } events
}
events-none-match = No event matches. This page looks again by itself.
events-none = There is nothing on sale yet. This page looks again by itself.
events-sale-from = Sale from { $date }
events-pages = Pages
events-page = Page { $page } of { $pages }
events-back = Back
events-next = Next

## An event's page

event-state-on-sale = On sale
event-state-coming-up = Coming up
event-state-paused = Paused
event-state-soldout = Sold out
event-state-closed = Ended
event-state-cancelled = Cancelled
event-fees-included = Prices include all fees of a ticket.
event-fee-added = One fee of { $fee } is added to each order.
event-sale-starts = The sale starts { $date }
event-prices = Prices
event-about = About
event-word = From the organiser: { $text }
event-travel = Getting there
event-fullest = Most buyers will want { $places }. Other places are easier to get.
event-seat-map = Seat map
event-sections-list = Sections as a list
event-ordered = You have an order for this event. { $link }
event-go-on = Continue choosing seats
event-says-soldout = Sold out. Every seat has a ticket.
event-says-closed = The sale has ended.
event-says-used-up = You have used all your sessions for this event, and would wait in vain. See “My orders”.
event-says-draining = Nobody new may join the waiting room. Buyers who already wait are still admitted.
event-says-paused = The sale is paused. You keep your place, and the sale goes on by itself.
event-says-cancelled = The organiser has cancelled this event. Nothing is sold any more, and all payments go back by themselves.
event-preview = This is a preview. Buyers do not see this event yet, and nobody can join it.
event-perhaps-soon = If the event has just been published, this page shows it by itself within half a minute.
event-too-early = The waiting room opens half an hour before the sale. Coming early gains nothing: all who are there when the sale starts have the same chance.
event-enter = Enter the waiting room
event-get-tickets = Get tickets
event-to-place = Back to your place
event-before-start = All who are here when the sale starts have the same chance. There is no need to refresh.
event-after-start = Places are drawn fairly. Refreshing or opening more windows changes nothing.
event-rules = How the sale works
event-no-map = The seat map cannot be shown just now. You can go on without it.
event-map-failed = The map cannot be loaded now. The list is below.

## The end of the sale

news-sale-ends = The sale ends { $date }, and nobody is let in after it.
news-sale-ends-late = The sale ends { $date }, and nobody is let in after it. Your wait may be longer than that.

## Who sells

seller-questions = Questions? { $way }
seller-questions-either = Questions? { $mail } or { $phone }
seller-sold-by = Sold by { $name }
seller-imprint = Imprint
seller-terms = Terms
seller-privacy = Privacy
