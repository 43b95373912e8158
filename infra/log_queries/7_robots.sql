-- Sessions that look like robots
-- By their busiest minute: a person asks for seats a few times in it. A sign and no proof.
SELECT session,
  max(protocol) AS protocol,
  max(country) AS country,
  sum(asked) AS asked,
  sum(refused) AS refused,
  max(asked) AS in_busiest_minute
FROM (
  SELECT session, minute, max(protocol) AS protocol, max(country) AS country,
    count(*) AS asked, count_if(status >= 400) AS refused
  FROM edge
  WHERE session <> '' AND method = 'POST' AND route LIKE '/api/sessions/{id}/holds%'
  GROUP BY session, minute
) AS minutes
GROUP BY session HAVING max(asked) >= 6
ORDER BY in_busiest_minute DESC, session LIMIT 100
