# The words of the rules of a sale.

rules-title = How the sale works: { $event }
rules-draw = How the draw works
rules-draw-start = The waiting room opens half an hour before the sale. All who are there when the sale starts have the same chance: coming first gains nothing.
rules-draw-number = Chance gives each buyer a number. It decides when they are let in. Whoever waits longer has a better chance, never a worse one.
rules-draw-late = Who comes after the start waits from then on.
rules-draw-pace = As many are let in as can choose in peace, so a wait may become shorter or longer than we say.
rules-sign-in = An account to sign in with. One person has one place in the waiting room.
rules-limits = What is allowed
rules-single-seat = A choice that leaves one seat alone is refused.
rules-gains = What gains nothing
rules-refresh = Refreshing
rules-refresh-why = The page asks by itself at the right moment. Asking more often brings nobody in sooner.
rules-windows = Ten tabs
rules-windows-why = All windows of a person share one place. One of them asks, the others wait for it.
rules-line = A faster line
rules-line-why = Your number and your wait decide, not who is a second faster.
rules-robot = A robot
rules-robot-why = It gets the same chance as you. Who asks unusually often gets a longer check first, and then a break.
rules-proof = How to check the draw
rules-proof-before = The draw hangs on a secret key, which cannot be exchanged unseen: its fingerprint is public before the sale. It is { $commitment }
rules-proof-beacon = A public value is mixed in that nobody can know beforehand: { $source }.
rules-proof-after = After the sale the organiser can publish the key. With it anybody can work out the numbers again, and see whether they were let in at their moment.
rules-proof-key = The key is public now, so anybody can work out the numbers again: { $key }
rules-proof-data = The event's figures, for who checks them
