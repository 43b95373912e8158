"""Checks a deployed gate with the repository's event files, through CloudFront's TestFunction."""
