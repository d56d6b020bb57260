"""Raise the limit of open files."""

import resource

ENOUGH_FILES = 65_536
FEW_FILES = 4_096  # Each socket counts as a file.


def raise_file_limit() -> str:
    """Raise this process's limit of open files, up to ENOUGH_FILES. Return a warning if it stays low, else ""."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limits = [limit for limit in (ENOUGH_FILES, hard) if limit != resource.RLIM_INFINITY]
    if soft != resource.RLIM_INFINITY and soft < min(limits):
        soft = min(limits)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= FEW_FILES:
        return ""
    return f"Only {soft} files may be open, and each visitor needs some. Raise the limit: ulimit -n {ENOUGH_FILES}"
