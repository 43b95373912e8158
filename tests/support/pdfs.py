"""Read what a PDF says."""

from __future__ import annotations

import io

from pypdf import PdfReader


def pdf_words(file: bytes) -> list[list[str]]:
    """Return the lines of each page, as a reader program finds them."""
    pages = PdfReader(io.BytesIO(file)).pages
    return [[line.strip() for line in page.extract_text().splitlines()] for page in pages]
