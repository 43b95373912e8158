-- How long buyers waited, by when they joined
-- Only those who came in; whoever left or still waits has no line.
SELECT arrived AS minute,
  count(*) AS buyers,
  round(approx_percentile(waited_s, 0.5)) AS median_s,
  round(approx_percentile(waited_s, 0.95)) AS p95_s,
  round(max(waited_s)) AS longest_s
FROM came, asked
WHERE came.event = asked.event
GROUP BY arrived ORDER BY arrived
