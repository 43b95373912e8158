-- What was refused, and why
-- Requests of sessions are of all events of the stage. Sessions are counted where the address names one.
SELECT method || ' ' || route AS asked_for, status,
  CASE status
    WHEN 400 THEN 'the request is malformed'
    WHEN 401 THEN 'not signed in, or the sign-in has ended'
    WHEN 403 THEN 'not through the waiting room, locked out, or blocked by the firewall'
    WHEN 404 THEN 'there is no such thing'
    WHEN 405 THEN 'the address takes another method'
    WHEN 409 THEN 'taken by others, or not in this state'
    WHEN 410 THEN 'too late: session, hold or sale is over'
    WHEN 422 THEN 'a limit of the event'
    WHEN 429 THEN 'too early or too often'
    WHEN 503 THEN 'busy: to be tried again'
    ELSE CASE WHEN status >= 500 THEN 'our fault' ELSE 'other' END
  END AS why,
  count(DISTINCT nullif(session, '')) AS sessions,
  count(*) AS requests
FROM edge, asked
WHERE status >= 400 AND edge.event IN (asked.event, '') AND route LIKE '/api/%'
GROUP BY 1, 2, 3 ORDER BY requests DESC, asked_for LIMIT 200
