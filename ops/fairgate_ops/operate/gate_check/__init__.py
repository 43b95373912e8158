"""Check a deployed gate with the rows of edge/gate/rows.json, through CloudFront's TestFunction."""
