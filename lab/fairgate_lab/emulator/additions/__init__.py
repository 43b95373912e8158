"""What the emulator lacks of AWS, added from outside: one module a service.

These modules run in the emulator's own process, on its own Python; nothing else imports them.
"""
