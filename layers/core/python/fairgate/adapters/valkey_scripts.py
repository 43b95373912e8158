"""The Lua scripts of the availability cache, as Valkey and Redis run them (Lua 5.1).

One script, one atomic step: an older change never replaces a newer one, and a seat's version, its
two bits of the vector, the section's count and the change log always tell the same story.
"""

from __future__ import annotations

WINDOW_MS = 30_000  # how far back the change logs reach: longer than any cached read may be old
LOG_ENTRIES_MAX = 20_000  # a last resort: 600 changes a second for the whole window

# Two bits a seat, lowest bits first, as docs/api.md has them: BITFIELD counts from the highest.
_OFFSET = """
local function offset(index)
  return 8 * math.floor(index / 4) + 6 - 2 * (index % 4)
end
"""

# One entry of a change log. Only the last window is kept.
_LOG = f"""
local time = redis.call('TIME')
local oldest = time[1] * 1000 + math.floor(time[2] / 1000) - {WINDOW_MS}
local function log(key, name, value)
  redis.call('XADD', key, '*', name, value)
  redis.call('XTRIM', key, 'MINID', '~', string.format('%.0f', oldest))
  redis.call('XTRIM', key, 'MAXLEN', '~', {LOG_ENTRIES_MAX})
  redis.call('PEXPIRE', key, {2 * WINDOW_MS})
end
"""

# Changes travel as "index=version|code|expires_ms;…".
# KEYS section, availability, expiries, vector, section's log, event's log
# ARGV section, ttl, changes, "1" when they come from the change feed
APPLY = (
    _OFFSET
    + _LOG
    + """
local applied, delta = 0, 0
local bits, told = {}, {}
local filled = redis.call('HEXISTS', KEYS[1], 'n') == 1
if filled and redis.call('EXISTS', KEYS[4]) == 0 then
  -- The vector was evicted: the section is a miss until it is filled again.
  redis.call('HDEL', KEYS[1], 'n')
  filled = false
end
for index, value, version, code, expires in
    string.gmatch(ARGV[3], '(%d+)=((%d+)|(%d)|(%d+))') do
  local old = redis.call('HGET', KEYS[1], index)
  local old_version, old_code = -1, nil
  if old then old_version, old_code = string.match(old, '^(%d+)|(%d)|') end
  if tonumber(version) > tonumber(old_version) then
    redis.call('HSET', KEYS[1], index, value)
    local member = ARGV[1] .. '#' .. index
    if code == '1' then redis.call('ZADD', KEYS[3], expires, member)
    else redis.call('ZREM', KEYS[3], member) end
    if code == '0' then delta = delta + 1 end
    if old_code == '0' then delta = delta - 1 end
    bits[#bits + 1] = {offset(tonumber(index)), code}
    applied = applied + 1
  end
  -- A fill may have brought a change before the feed did: it is told when the feed brings it.
  if tonumber(version) >= tonumber(old_version) then told[#told + 1] = index .. ':' .. code end
end
if not filled then
  -- What is known must outlive any fill that began before it.
  redis.call('EXPIRE', KEYS[1], ARGV[2])
else
  for _, bit in ipairs(bits) do redis.call('BITFIELD', KEYS[4], 'SET', 'u2', bit[1], bit[2]) end
  if delta ~= 0 and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
    redis.call('HINCRBY', KEYS[2], ARGV[1], delta)
  end
end
redis.call('EXPIRE', KEYS[3], 2 * ARGV[2])
if ARGV[4] == '1' and #told > 0 then
  log(KEYS[5], 's', table.concat(told, ','))
  log(KEYS[6], 's', ARGV[1])
end
return applied
"""
)

# Every seat has been applied: make the vector, count, and call the section whole.
# KEYS section, availability, expiries, vector; ARGV section, ttl, seats
FINISH = """
local available, seats = 0, tonumber(ARGV[3])
local codes = {}
for i = 0, 4 * math.ceil(seats / 4) - 1 do codes[i] = 3 end
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local code, expires = string.match(all[i + 1], '^%d+|(%d)|(%d+)$')
  -- The expiries may have been evicted since an earlier change wrote them.
  if code == '1' then redis.call('ZADD', KEYS[3], expires, ARGV[1] .. '#' .. all[i]) end
  if code == '0' then available = available + 1 end
  local index = tonumber(all[i])
  if code and index < seats then codes[index] = tonumber(code) end
end
local bytes = {}
for i = 0, seats - 1, 4 do
  bytes[#bytes + 1] = string.char(
    codes[i] + 4 * codes[i + 1] + 16 * codes[i + 2] + 64 * codes[i + 3])
end
redis.call('SET', KEYS[4], table.concat(bytes), 'EX', ARGV[2])
redis.call('HSET', KEYS[1], 'n', ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], available)
redis.call('ZADD', KEYS[3], '+inf', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], 2 * ARGV[2])
redis.call('EXPIRE', KEYS[3], 2 * ARGV[2])
return available
"""

# KEYS expiries, then section, vector of each; ARGV now_ms, section names …
# Expired locks as "section#index", then seats (false: not cached), vector of each.
VECTORS = """
local answers = {redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])}
for k = 2, #KEYS, 2 do
  local seats = redis.call('HGET', KEYS[k], 'n')
  local vector = seats and redis.call('GET', KEYS[k + 1])
  if not vector or not redis.call('ZSCORE', KEYS[1], ARGV[k / 2 + 1]) then
    seats, vector = false, ''
  end
  answers[#answers + 1] = seats
  answers[#answers + 1] = vector
end
return answers
"""

# KEYS availability, expiries, then section, vector of each; ARGV now_ms, section names …
# −1: not cached.
COUNTS = """
local expired = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1])) do
  local section = string.match(member, '^(.-)#')
  expired[section] = (expired[section] or 0) + 1
end
local counts = {}
for i = 2, #ARGV do
  local section = ARGV[i]
  local count = redis.call('HGET', KEYS[1], section)
  if count and redis.call('HEXISTS', KEYS[2 * i - 1], 'n') == 1
      and redis.call('EXISTS', KEYS[2 * i]) == 1
      and redis.call('ZSCORE', KEYS[2], section) then
    counts[i - 1] = tonumber(count) + (expired[section] or 0)
  else
    counts[i - 1] = -1
  end
end
return counts
"""

# KEYS availability, event's log; ARGV ttl, then area, shard, version, remaining …
SHARDS = (
    _LOG
    + """
local applied = 0
for i = 2, #ARGV, 4 do
  local field = 'ga:' .. ARGV[i] .. ':' .. ARGV[i + 1]
  local old = redis.call('HGET', KEYS[1], field)
  local old_version = old and tonumber(string.match(old, '^(%d+)|')) or -1
  if tonumber(ARGV[i + 2]) > old_version then
    redis.call('HSET', KEYS[1], field, ARGV[i + 2] .. '|' .. ARGV[i + 3])
    log(KEYS[2], 'a', ARGV[i])
    applied = applied + 1
  end
end
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

# KEYS log; ARGV window_ms. The server's time, and the entries of the window.
CHANGES = """
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
return {time[1], time[2], redis.call('XRANGE', KEYS[1], string.format('(%.0f', since), '+')}
"""
