-- Who joined and who came in, by minute
-- A joining is an answer of the queue; whoever loads the page again joins again.
SELECT minute,
  count_if(route = '/api/events/{event}/queue' AND status = 200) AS joined,
  count_if(route = '/api/events/{event}/admission' AND status = 201) AS came_in,
  count_if(route = '/api/events/{event}/admission' AND status = 202) AS told_to_wait,
  count_if(status >= 400) AS refused
FROM edge, asked
WHERE edge.event = asked.event AND method = 'POST'
  AND route IN ('/api/events/{event}/queue', '/api/events/{event}/admission')
GROUP BY minute ORDER BY minute
