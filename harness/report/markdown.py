"""Texts so that Markdown shows them as they are; names of bots come from users."""

import re

from harness.report.words import Name, Sentence


def markdown(text: str) -> str:
    """Return a text so that Markdown shows it as it is, on one line."""
    escaped = re.sub(r"([\\`*_\[\]|~$])", r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def markdown_sentence(sentence: Sentence) -> str:
    """Return a sentence in Markdown, names in bold."""
    return "".join(f"**{markdown(part)}**" if isinstance(part, Name) else _plain(part) for part in sentence)


def _plain(part: str) -> str:
    """Return words in Markdown with the blanks at their ends, which `markdown` strips."""
    before, after = part[:1].isspace(), part[-1:].isspace() and not part.isspace()
    return f"{' ' * before}{markdown(part)}{' ' * after}"
