-- Requests by minute
-- All requests at the edge, of every event; cached are those that no server of ours answered.
SELECT minute,
  count(*) AS requests,
  count_if(result IN ('Hit', 'RefreshHit')) AS cached,
  count_if(result = 'FunctionGeneratedResponse') AS by_the_gate,
  count_if(status BETWEEN 400 AND 499) AS refused,
  count_if(status >= 500) AS failed,
  round(approx_percentile(took_s, 0.95) * 1000) AS p95_ms
FROM edge
GROUP BY minute ORDER BY minute
