"""The project of a row (contract 6.1)."""

import hashlib


def project_id(given: str | None, repo_slug: str | None) -> str | None:
    """The given id; else `proj_` and the first 24 hex digits of SHA-256(`repo:` + slug in lower case); else None."""
    if given is not None and given.strip():
        return given
    if repo_slug is None or not repo_slug.strip():
        return None
    return f"proj_{hashlib.sha256(f'repo:{repo_slug.lower()}'.encode()).hexdigest()[:24]}"
