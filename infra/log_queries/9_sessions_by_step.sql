-- How far sessions came
-- Sessions, each counted once, however often they asked. Their paths name no event: all events of the stage.
SELECT count(DISTINCT session) AS asked,
  count(DISTINCT CASE WHEN route LIKE '/api/sessions/{id}/holds%' AND status = 201 THEN session END) AS held,
  count(DISTINCT CASE WHEN route = '/api/sessions/{id}/checkout' AND status = 201 THEN session END) AS went_to_pay
FROM edge
WHERE session <> '' AND method = 'POST'
  AND (route LIKE '/api/sessions/{id}/holds%' OR route = '/api/sessions/{id}/checkout')
