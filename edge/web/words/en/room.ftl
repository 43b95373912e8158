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

## Small parts

part-copied = Copied
part-copy-yourself = Please copy it yourself
part-close-notice = Close this notice
