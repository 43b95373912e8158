"""Name the files in which the local run logs what the tables of ``infra.log_queries`` hold."""

EDGE_REQUESTS = "edge-requests.jsonl"  # by nginx
API_REQUESTS = "api-requests.jsonl"  # by the API host
FUNCTIONS = "api.log"  # what the functions print; admissions are among it
