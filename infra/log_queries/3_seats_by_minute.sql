-- Seats by minute: asked for, held, taken by others
-- Requests, not seats: one hold may have several. Paths of sessions name no event: all events of the stage.
SELECT minute,
  count_if(route LIKE '/api/sessions/{id}/holds%' AND method = 'POST') AS asked,
  count_if(route LIKE '/api/sessions/{id}/holds%' AND method = 'POST' AND status = 201) AS held,
  count_if(route LIKE '/api/sessions/{id}/holds%' AND method = 'POST' AND status = 409) AS taken,
  count_if(method = 'DELETE' AND status = 204) AS given_back,
  count_if(route = '/api/sessions/{id}/checkout' AND status = 201) AS checkouts,
  count_if(route = '/api/payments/webhook' AND status < 300) AS paid
FROM edge
WHERE route LIKE '/api/sessions/%' OR route = '/api/payments/webhook'
GROUP BY minute ORDER BY minute
