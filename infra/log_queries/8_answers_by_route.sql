-- How the API answered, by route
-- What reached the API, of every event; throttled are refused by API Gateway itself, before any function.
SELECT route,
  count(*) AS requests,
  round(approx_percentile(took_ms, 0.5)) AS median_ms,
  round(approx_percentile(took_ms, 0.95)) AS p95_ms,
  round(approx_percentile(took_ms, 0.99)) AS p99_ms,
  count_if(status BETWEEN 400 AND 499) AS refused,
  count_if(status >= 500) AS failed,
  count_if(error = 'THROTTLED') AS throttled
FROM api
GROUP BY route ORDER BY requests DESC
