"""Hold the Lua scripts of the availability cache, as Valkey and Redis run them (Lua 5.1).

A script is one atomic step in one slot. An older change never replaces a newer one. A seat's
version, its two bits of the vector, the section's count and its change log always agree. The
event's counts follow by a second step, which may come late, twice or out of order.
"""

from __future__ import annotations

from fairgate.ports.availability import WINDOW_MS

LOG_ENTRIES_MAX = 40_000  # 400 changes a second for the whole window

# Two bits a seat, lowest bits first, as docs/api.md has them: BITFIELD counts from the highest.
_OFFSET = """
local function offset(index)
  return 8 * math.floor(index / 4) + 6 - 2 * (index % 4)
end
"""

# A change log, and the hash that notes what the log may have lost to eviction: the log is complete
# after the id ``:since``, and its last entry is ``:last``.
# Ids as numbers: changes.py.
_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(id)
  return string.format('%.0f', id)
end
local up_to_now = number(now * 1000 + 999)
"""

# One entry of a change log. Only the last window is kept.
_LOG = (
    _NOW
    + f"""
local function log(key, home, name, value)
  local kept = redis.call('EXISTS', key) == 1
  local ms, entry = string.match(redis.call('XADD', key, '*', name, value), '^(%d+)-(%d+)$')
  local id = ms * 1000 + math.min(tonumber(entry), 999)
  if not kept then
    redis.call('HSET', home, ':since', redis.call('HGET', home, ':last') or number(id - 1))
  end
  redis.call('HSET', home, ':last', number(id))
  redis.call('XTRIM', key, 'MINID', '~', number(now - {WINDOW_MS}))
  redis.call('XTRIM', key, 'MAXLEN', '~', {LOG_ENTRIES_MAX})
  redis.call('PEXPIRE', key, {2 * WINDOW_MS})
end
"""
)

# A section's count and its revision. ``:rev`` grows with every change that may change the count,
# also after the hash was lost: it is at least the server's time in microseconds. ``:free`` is the
# count. A member of the expiries says that they are whole; it is lost with them.
_COUNT = """
local function renew()
  local kept = tonumber(redis.call('HGET', KEYS[1], ':rev') or '0')
  local micros = time[1] * 1000000 + time[2]
  redis.call('HSET', KEYS[1], ':rev', number(math.max(kept + 1, micros)))
end
local function is_whole()
  return redis.call('HEXISTS', KEYS[1], 'n') == 1 and redis.call('EXISTS', KEYS[3]) == 1
    and redis.call('ZSCORE', KEYS[2], ':whole')
end
-- Revision, free seats (-1: not whole), when the first lock ends (0: there is none).
local function count(whole)
  local rev, free = unpack(redis.call('HMGET', KEYS[1], ':rev', ':free'))
  local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
  if not first or first == 'inf' then first = '0' end
  return {rev or '0', whole and free or '-1', first}
end
"""

# Changes travel as "index=version|code|expires_ms;…".
# KEYS section, expiries, vector, section's log; ARGV ttl, changes
# How many were applied, and the count.
APPLY = (
    _OFFSET
    + _LOG
    + _COUNT
    + """
local applied, delta = 0, 0
local bits, told = {}, {}
local filled = redis.call('HEXISTS', KEYS[1], 'n') == 1
local lost = filled and not is_whole()
if lost then
  -- A part was evicted: the section is a miss until it is filled again.
  redis.call('HDEL', KEYS[1], 'n')
  filled = false
end
for index, value, version, code, expires in
    string.gmatch(ARGV[2], '(%d+)=((%d+)|(%d)|(%d+))') do
  local old = redis.call('HGET', KEYS[1], index)
  local old_version, old_code = -1, nil
  if old then old_version, old_code = string.match(old, '^(%d+)|(%d)|') end
  if tonumber(version) > tonumber(old_version) then
    redis.call('HSET', KEYS[1], index, value)
    if code == '1' then redis.call('ZADD', KEYS[2], expires, index)
    else redis.call('ZREM', KEYS[2], index) end
    if code == '0' then delta = delta + 1 end
    if old_code == '0' then delta = delta - 1 end
    bits[#bits + 1] = {offset(tonumber(index)), code}
    told[#told + 1] = index .. ':' .. code
    applied = applied + 1
  end
end
if not filled then
  -- What is known must outlive any fill that began before it.
  redis.call('EXPIRE', KEYS[1], ARGV[1])
else
  for _, bit in ipairs(bits) do redis.call('BITFIELD', KEYS[3], 'SET', 'u2', bit[1], bit[2]) end
  redis.call('HINCRBY', KEYS[1], ':free', delta)
end
redis.call('EXPIRE', KEYS[2], 2 * ARGV[1])
-- Of a section that is not whole nobody knows whether a change is the newest: once it is whole,
-- viewers read it again.
if filled and applied > 0 then log(KEYS[4], KEYS[1], 's', table.concat(told, ',')) end
if lost or applied > 0 then renew() end
return {applied, unpack(count(filled))}
"""
)

# The name of a hash's present life, given at the first asking: a hash that was lost has lost it.
# KEYS hash; ARGV ttl
LIFE = (
    _NOW
    + """
redis.call('HSETNX', KEYS[1], ':life', time[1] .. '.' .. time[2])
if redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return redis.call('HGET', KEYS[1], ':life')
"""
)

# Every seat has been applied: make the vector, count, and call the section whole.
# KEYS as APPLY; ARGV ttl, seats, life or ""
# 0 where it is not to be believed, else 1, and the count.
FINISH = (
    _LOG
    + _COUNT
    + """
-- With the hash, changes newer than the reading may have been lost: it is not to be believed.
if ARGV[3] ~= '' and redis.call('HGET', KEYS[1], ':life') ~= ARGV[3] then
  return {0, unpack(count(false))}
end
local available, seats = 0, tonumber(ARGV[2])
local codes = {}
for i = 0, 4 * math.ceil(seats / 4) - 1 do codes[i] = 3 end
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local code, expires = string.match(all[i + 1], '^%d+|(%d)|(%d+)$')
  -- The expiries may have been evicted since an earlier change wrote them.
  if code == '1' then redis.call('ZADD', KEYS[2], expires, all[i]) end
  if code == '0' then available = available + 1 end
  local index = tonumber(all[i])
  if code and index < seats then codes[index] = tonumber(code) end
end
local bytes = {}
for i = 0, seats - 1, 4 do
  bytes[#bytes + 1] = string.char(
    codes[i] + 4 * codes[i + 1] + 16 * codes[i + 2] + 64 * codes[i + 3])
end
redis.call('SET', KEYS[3], table.concat(bytes), 'EX', ARGV[1])
local filled = redis.call('HEXISTS', KEYS[1], 'n') == 1
if not filled then
  redis.call('HSET', KEYS[1], ':since', up_to_now, ':last', up_to_now)
  renew()
end
redis.call('HSET', KEYS[1], 'n', ARGV[2], ':free', available)
redis.call('ZADD', KEYS[2], '+inf', ':whole')
redis.call('EXPIRE', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[2], 2 * ARGV[1])
return {1, unpack(count(true))}
"""
)

# KEYS as APPLY. Forgets all but the log; the count that is none any more.
FORGET = (
    _NOW
    + _COUNT
    + """
renew()
local gone = count(false)
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
return gone
"""
)

# KEYS section, expiries, vector; ARGV now_ms
# Seats and vector (false: not cached), and the seats whose locks' time is up.
VECTOR = """
local seats = redis.call('HGET', KEYS[1], 'n')
local vector = seats and redis.call('GET', KEYS[3])
if not vector or not redis.call('ZSCORE', KEYS[2], ':whole') then return {false, '', {}} end
return {seats, vector, redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])}
"""

# KEYS section, expiries, vector; ARGV now_ms, "new" to have a revision newer than any before
# The count, and how many of its locks' time is up.
COUNT = (
    _NOW
    + _COUNT
    + """
local whole = is_whole()
if whole and ARGV[2] == 'new' then renew() end
local answer = count(whole)
answer[4] = redis.call('ZCOUNT', KEYS[2], '-inf', ARGV[1])
return answer
"""
)

# The counts of sections are kept for the whole event as "revision|free|first lock's end". Each
# comes in a call of its own, after the section's: the newest revision stays. What is older than
# the hash may be older than what was lost with it: told, but not kept.
# KEYS counts, event's log; ARGV ttl, then section, revision, free, first end …
RECORD = (
    _LOG
    + """
local born = redis.call('HGET', KEYS[1], ':born')
if not born then
  born = number(time[1] * 1000000 + time[2])
  redis.call('HSET', KEYS[1], ':born', born)
end
for i = 2, #ARGV, 4 do
  local section, rev = ARGV[i], tonumber(ARGV[i + 1])
  local old = redis.call('HGET', KEYS[1], section)
  if rev > tonumber(old and string.match(old, '^(%d+)|') or '0') then
    log(KEYS[2], KEYS[1], 's', section)
    if rev >= tonumber(born) then
      redis.call('HSET', KEYS[1], section, table.concat({unpack(ARGV, i + 1, i + 3)}, '|'))
    end
  end
end
redis.call('EXPIRE', KEYS[1], 2 * ARGV[1])
return 0
"""
)

# KEYS counts; ARGV ttl, now_ms, sections …
# A number each; −1: ask the section, −2: and have it recorded.
COUNTS = (
    _NOW
    + """
redis.call('HSETNX', KEYS[1], ':born', number(time[1] * 1000000 + time[2]))
if redis.call('TTL', KEYS[1]) < 0 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
local counts = {}
for i = 3, #ARGV do
  local known = redis.call('HGET', KEYS[1], ARGV[i])
  local free, first = string.match(known or '', '^%d+|(%d+)|(%d+)$')
  if not free then counts[i - 2] = -2
  elseif first ~= '0' and tonumber(first) <= tonumber(ARGV[2]) then counts[i - 2] = -1
  else counts[i - 2] = tonumber(free) end
end
return counts
"""
)

# KEYS counts, event's log; ARGV ttl, life or "", area or "": of which all shards come from
# the table, then area, shard, version, remaining …
SHARDS = (
    _LOG
    + """
if ARGV[2] ~= '' and redis.call('HGET', KEYS[1], ':life') ~= ARGV[2] then return -1 end
local applied = 0
for i = 4, #ARGV, 4 do
  local field = 'ga:' .. ARGV[i] .. ':' .. ARGV[i + 1]
  local old = redis.call('HGET', KEYS[1], field)
  local old_version = old and tonumber(string.match(old, '^(%d+)|')) or -1
  if tonumber(ARGV[i + 2]) > old_version then
    redis.call('HSET', KEYS[1], field, ARGV[i + 2] .. '|' .. ARGV[i + 3])
    log(KEYS[2], KEYS[1], 'a', ARGV[i])
    applied = applied + 1
  end
end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], ':whole:' .. ARGV[3], 1) end
redis.call('EXPIRE', KEYS[1], 2 * ARGV[1])
return applied
"""
)

# KEYS log. The server's time, and the last entry's id, or false.
POSITION = """
local time = redis.call('TIME')
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
return {time[1], time[2], last[1] and last[1][1] or false}
"""

# KEYS log, home; ARGV reach_ms, "n" where the home must be whole, ttl
# The server's time, up to which id the log is no use, and the entries of the window.
CHANGES = (
    _NOW
    + """
local since, last, whole = unpack(redis.call('HMGET', KEYS[2], ':since', ':last', ARGV[2]))
if ARGV[2] ~= '' and not whole then since = up_to_now
elseif redis.call('EXISTS', KEYS[1]) == 0 then
  if not last then
    last = up_to_now
    redis.call('HSET', KEYS[2], ':since', last, ':last', last)
    if redis.call('TTL', KEYS[2]) < 0 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
  end
  since = last
end
local oldest = '(' .. string.format('%.0f', now - ARGV[1])
return {time[1], time[2], since or '0', redis.call('XRANGE', KEYS[1], oldest, '+')}
"""
)
