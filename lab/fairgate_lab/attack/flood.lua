-- Sends the requests of a file by turns, as fast as it can or so many a second, and says how many were
-- answered with which status. For wrk:
--
--   wrk … -s flood.lua <url> -- <requests.json.lua> <results> <a second, or 0>

local ffi = require('ffi')
ffi.cdef [[
  typedef struct { long s; long ns; } flood_time;
  int clock_gettime(int clock, flood_time *time);
]]
local MONOTONIC = 1

local function now_ms()
  local time = ffi.new('flood_time')
  ffi.C.clock_gettime(MONOTONIC, time)
  return tonumber(time.s) * 1000 + tonumber(time.ns) / 1e6
end

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  results = args[2]
  every_ms = tonumber(args[3]) > 0 and 1000 / tonumber(args[3]) or 0
  list = {}
  for _, one in ipairs(dofile(args[1])) do
    table.insert(list, wrk.format(one.method, one.path, one.headers))
  end
  turn, due_ms = 0, now_ms()
  counts = {}
  path = results
  if every_ms == 0 then
    delay = nil
  end
end

function request()
  turn = turn % #list + 1
  return list[turn]
end

-- A late caller does not catch up: a pause of the machine is not followed by a burst.
function delay()
  local at_ms = now_ms()
  due_ms = math.max(due_ms + every_ms, at_ms - 100)
  return math.max(0, math.floor(due_ms - at_ms))
end

function response(status)
  counts[status] = (counts[status] or 0) + 1
end

function done(summary)
  local out = io.open(threads[1]:get('path'), 'w')
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get('counts')) do
      out:write(status, ' ', count, '\n')
    end
  end
  local errors = summary.errors
  out:write('errors ', errors.connect + errors.read + errors.write + errors.timeout, '\n')
  out:close()
end
