"""Metrics of matches and sockets for Prometheus, which collects them from each process."""

from prometheus_client import Counter, Gauge, Histogram

MOVES = Counter("valat_moves", "Moves stored, shuffles included")
COMMITS = Counter("valat_commits", "Transactions of moves committed")
REFUSALS = Counter("valat_refusals", "Messages of players that were refused over sockets")
LINES = Counter("valat_lines", "Said at tables", ["kind"])
MESSAGES = Counter("valat_messages", "Written to friends")
REPORTS = Counter("valat_reports", "Lines and messages that were reported")
ERRORS = Counter("valat_errors", "What broke on our side", ["where"])
MOVE_SECONDS = Histogram(
    "valat_move_seconds",
    "From a request for a move to its commit",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
BOTS_WAITING = Gauge("valat_bots_waiting", "Bots that wait for a process to think in")
BOT_SECONDS = Histogram(
    "valat_bot_seconds",
    "From the moment a bot’s turn is due to its answer, waiting included",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
BOT_CPU_SECONDS = Counter("valat_bot_cpu_seconds", "CPU time that bots have thought")
BATCH = Histogram("valat_batch_requests", "Requests that shared a transaction", buckets=(1, 2, 5, 10, 20, 50, 100))
WRITER_QUEUE = Gauge("valat_writer_queue", "Requests that wait for the writer")
THREAD_QUEUE = Gauge("valat_thread_queue", "Calls that wait for a database thread or are in it", ["thread"])
SOCKETS = Gauge("valat_sockets", "Open sockets", ["kind"])
TABLES = Gauge("valat_tables", "Matches that somebody looks at here")


def count_failed_page(**_: object) -> None:
    """Count a page that failed. A receiver of Django's `got_request_exception`."""
    ERRORS.labels("page").inc()
