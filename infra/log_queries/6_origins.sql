-- Who was refused: joining and asking to come in, by country and protocol
-- Browsers speak HTTP/2 or HTTP/3; many refusals over HTTP/1.1 are programs. No log says who somebody is.
SELECT coalesce(country, '-') AS country, protocol,
  count(*) AS requests,
  count_if(status >= 400) AS refused,
  round(100.0 * count_if(status >= 400) / count(*), 1) AS refused_percent
FROM edge, asked
WHERE edge.event = asked.event AND method = 'POST'
GROUP BY 1, 2 ORDER BY requests DESC LIMIT 100
