"""Name each condition that must hold when a write commits by what it promises.

``#a`` is an attribute, ``:v`` a value of the write. A module imports the conditions of its writes.
lab/tests/simulation/test_sale_guards.py removes each clause in each of these modules alone.

    seat         available ──► locked until expiresAt ──► free for anybody; or reserved
                 available ◄──► blocked
    session      reservation ──► checkout ──► finalised; cancelled, expired
    reservation  live ──► sold or released
    order        pending ──► paid ──► ticketed; failed, expired; refund_due ──► refunded; cancelled
                 paid, ticketed ◄──► disputed ──► charged_back
"""

from __future__ import annotations

# A seat, a counter of an area. A lock that has run out is free without a write.
SEAT_IS_FREE = "#availability = :available OR (#availability = :locked AND #expiresAt <= :now)"
SEAT_IS_OURS = "#availability = :locked AND #sessionId = :session"  # even past its expiry
SEAT_IS_WHOSE_WAS_READ = "#sessionId = :session"
SEAT_STILL_HELD = "#availability = :locked AND #sessionId = :session AND #expiresAt > :now"
SEAT_IS_SOLD_TO_US = "#availability = :reserved AND #sessionId = :session"
# DynamoDB fails on adding to a version that is no number: such a counter refuses instead.
AREA_HAS_CAPACITY = "#remaining >= :quantity AND attribute_type(#version, :number)"
# House seats. A seat whose lock has run out is not blocked: its payment may still come.
SEAT_IS_AVAILABLE = "#availability = :available"
SEAT_IS_BLOCKED_BY = "#availability = :blocked AND #sessionId = :block"
AREA_HAS_BLOCKED = "#blocked >= :quantity"
BLOCK_AS_READ = "#version = :version"

# A user's status in an event.
USER_MAY_OPEN = (
    "(attribute_not_exists(#liveSession) OR #liveSession = :none OR #liveUntil <= :now)"
    " AND (attribute_not_exists(#sessionsUsed) OR #sessionsUsed < :sessions)"
    " AND (attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now)"
)
# Added for a token with the ordinary challenge.
AND_NOT_FLAGGED = " AND (attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now)"
USER_MAY_BUY = (
    "#liveSession = :session AND (attribute_not_exists(#placesTaken) OR #placesTaken <= :room)"
)
# One more place, passed on by somebody else.
USER_MAY_ACCEPT = "attribute_not_exists(#placesTaken) OR #placesTaken <= :room"
# Places of one postal address or card in an event.
SHARED_COUNT_ALLOWS = "attribute_not_exists(#places) OR #places <= :room"
USER_IS_IN_SESSION = "#liveSession = :session"
# The order's own places were counted at its checkout.
USER_WITHIN_LIMIT = "#placesTaken <= :limit"
USER_IN_SESSION_WITHIN_LIMIT = "#liveSession = :session AND #placesTaken <= :limit"
# The desk decides once, although several requests may see the same counts.
USER_NOT_FLAGGED = "attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now"
USER_NOT_LOCKED = "attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now"
# A lock-out is appealed against once, while it lasts.
USER_MAY_APPEAL = (
    "#lockedUntil = :until AND (attribute_not_exists(#appealedUntil) OR #appealedUntil <> :until)"
)
# A person answers the appeal that was read, and makes a lock-out only longer.
APPEAL_AS_READ = "attribute_not_exists(#appealedUntil) OR #appealedUntil = :appealed"
LOCK_MAY_BE_EXTENDED = (
    "(attribute_not_exists(#lockedUntil) OR #lockedUntil < :until)"
    " AND (attribute_not_exists(#appealedUntil) OR #appealedUntil = :appealed)"
)
APPEAL_HAS_TEXT = "#text = :text"

# A session and what it holds.
SESSION_MAY_HOLD = (
    "#userId = :user AND #eventId = :event AND #state = :reservation"
    " AND #expiresAt > :now AND #resCount <= :room"
)
SESSION_AS_READ = "#userId = :user AND #state = :state AND #resCount = :count"
SESSION_IN_CHECKOUT = "#state = :checkout AND #userId = :user"
SESSION_MAY_CHECK_OUT = (
    "#userId = :user AND #state = :reservation AND #expiresAt > :now AND #resCount = :count"
)
RESERVATION_IS_LIVE = "#state = :live"
RESERVATION_IS_SOLD = "#state = :sold"
RESERVATION_SOLD_AS_READ = "#state = :sold AND #quantity = :quantity"

# An order and the money behind it.
# It belongs to this user, and is unchanged since it was read. An order without a version has 0.
ORDER_AS_READ = "#userId = :user AND (attribute_not_exists(#version) OR #version = :version)"
DOCUMENT_NAMES_BUYER = "#buyer = :buyer"
REFUND_AS_READ = "attribute_exists(#PK) AND (attribute_not_exists(#state) OR #state = :state)"
# Its attempt number is still the one that the provider refused.
REFUND_ATTEMPT_AS_READ = (
    "attribute_exists(#PK) AND (attribute_not_exists(#attempt) OR #attempt = :attempt)"
)
DISPUTE_AS_READ = "#state = :state"
NUMBERS_AS_READ = "attribute_not_exists(#given) OR #given = :given"
TASK_IS_OPEN = "attribute_exists(#PK) AND attribute_not_exists(#doneAt)"

# An account of the sample is counted once, not while it is flagged, and taken out once.
ACCOUNT_MAY_BE_COUNTED = (
    "(attribute_not_exists(#minute) OR #minute = :none)"
    " AND (attribute_not_exists(#leftOutUntil) OR #leftOutUntil <= :now)"
)
ACCOUNT_NOT_COUNTED = "attribute_not_exists(#minute) OR #minute = :none"
ACCOUNT_COUNTED_THEN = "#minute = :minute"

# A token bucket. The old item of a refused write says whether it has a token left.
BUCKET_IS_FULL = "attribute_not_exists(#fullAtMs) OR #fullAtMs <= :now"
BUCKET_HAS_CAPACITY = "#fullAtMs > :now AND #fullAtMs <= :room"
# The payment provider's circuit breaker: one call at a time tries whether it answers again.
PROBE_IS_FREE = "attribute_not_exists(#probeUntilMs) OR #probeUntilMs <= :now"

# Other records.
KEY_NOT_SEEN = "attribute_not_exists(#PK) OR #until <= :now"  # an expired one is overwritten
API_ACCESS_IS_IN_FORCE = "attribute_exists(#PK) AND attribute_not_exists(#revokedAt)"
GRANT_IS_IN_FORCE = "attribute_exists(#PK) AND #revokedAt = :none"
# What waits for a second person: the same may be asked again, and one of the others confirms it.
PENDING_IS_OVER = "attribute_not_exists(#PK) OR #until <= :now OR attribute_exists(#confirmedBy)"
PENDING_MAY_BE_CONFIRMED = (
    "attribute_not_exists(#confirmedBy) AND #until > :now AND #by <> :me AND #at = :at"
)
ACT_IS_OURS = "#run = :run"  # an operator's act that this request does
# Nobody does the job now: it waits, was handed on, or its run can no longer be at work.
JOB_IS_FREE = "#busyUntil < :now AND attribute_not_exists(#endedAt)"
JOB_IS_OURS = "#run = :run AND attribute_not_exists(#endedAt)"
JOB_SENT_AS_READ = "#sentAt = :before"  # nobody has sent it again meanwhile
SWEPT_NOT_FURTHER = "attribute_not_exists(#minute) OR #minute < :minute"
RECONCILED_NOT_FURTHER = "attribute_not_exists(#until) OR #until < :until"
IMPORTED_NOT_FURTHER = "attribute_not_exists(#until) OR #until < :until"
EVENT_AS_READ = "#version = :version"
EVENT_IS_THERE = "attribute_exists(#PK)"  # also if it is damaged
# No other run has begun to create the event since the record was read.
CREATION_AS_READ = "attribute_not_exists(#nonce) OR #nonce = :nonce"
CREATION_IS_OURS = "#nonce = :nonce"
VALUE_IS_NEW = "attribute_not_exists(#PK)"
VALUE_AS_READ = "#version = :version"
CAPACITY_LIMIT_AS_READ = "#version = :version"
HISTORY_AS_READ = "#version = :version"
SHARD_HAS_SLOT = "#left > :none"
THRESHOLD_AS_READ = "attribute_not_exists(#atMs) OR #atMs = :read"
