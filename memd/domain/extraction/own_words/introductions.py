"""Texts that a line of a message introduces: a request (`Summarise this email:`), or a line that says where they are from.

Introductions are recognised in English, German and, where they end with a colon, in Romance languages.
"""

import re
from collections.abc import Sequence
from typing import Final

from memd.domain.extraction.own_words.quotations import QUOTATION_MARKS
from memd.domain.text.alternatives import any_of
from memd.domain.text.sentences import is_question

MAX_LINE: Final = 300
"""Characters of a line in which an introduction is looked for."""
_MAX_CLOSING: Final = 200
"""Characters of a last paragraph that may be the author's own again."""

_TEXT: Final = any_of("""
    email emails e-mail e-mails mail mails message messages text texts letter letters article articles
    post posts paragraph paragraphs essay essays story stories draft drafts abstract abstracts
    sentence sentences quote quotes passage passages review reviews feedback complaint complaints
    comment comments tweet tweets ad ads advert adverts advertisement advertisements advertizement
    description descriptions offer offers posting postings job_description job_descriptions job_offer job_offers
    job_posting job_postings transcript transcripts conversation conversations chat chats dialog dialogs
    dialogue dialogues log logs note notes speech poem poems lyrics thread threads contract contracts
    clause clauses excerpt excerpts section sections document documents paper papers report reports
    snippet snippets statement statements invitation invitations announcement announcements
    newsletter newsletters ticket tickets bio bios caption captions
    nachricht nachrichten brief briefe artikel absatz absätze aufsatz geschichte geschichten entwurf satz
    sätze zitat zitate gedicht gedichte vertrag anzeige anzeigen stellenanzeige stellenanzeigen beitrag
    beiträge protokoll protokolle
""")
_CHANGE_VERBS: Final = """
    summarise summarize translate proofread rewrite rephrase paraphrase shorten correct convert format simplify
    fass fasse übersetz übersetze korrigier korrigiere verbesser verbessere kürz kürze
    traduis résume corrige traduce resume reescribe
"""
_OTHER_VERBS: Final = """
    draft review improve fix edit check polish analyse analyze explain classify extract reply respond answer read
    look_at critique grade rate expand continue finish tldr tl;dr what_do_you_think_of what_do_you_make_of
    feedback_on feedback_for turn make prüf prüfe lies antwort antworte formulier formuliere schreib schreibe
    bewert bewerte erklär erkläre responde
"""
_CHANGE: Final = any_of(_CHANGE_VERBS)
_WORK: Final = any_of(f"{_CHANGE_VERBS} {_OTHER_VERBS}")
"""What is done with a text."""
_THIS: Final = any_of("""
    this these the_following that below following
    diese diesen dieser dieses diesem folgende folgenden folgender folgendes folgendem das ce cette este esta
""")
_WHOSE: Final = any_of("""
    my our his her their the a an die der den das ein eine einen einer mein meine meinen meiner
    unser unsere unseren unserer
""")
_INTO: Final = rf"(?: {any_of('in into to as ins auf nach en a')} [^:\n]{{2,40}})?"
_REQUEST: Final = (
    rf"\b{_WORK}\b(?:[^:\n]{{0,60}}?\b{_THIS}\b(?! out\b)|[^:\n]{{0,40}}?\b{_WHOSE} (?:[\w-]+ ){{0,3}}?{_TEXT}\b)"
    rf"|\b{_CHANGE}{_INTO}(?=\s?:)"
    rf"|\b(?:what (?:does|do|is|would)|how (?:do|should|can|would) i {any_of('reply answer respond')}(?: to)?) {_THIS}\b"
)
_HERE: Final = any_of("here's here_is here_are this_is below_is hier_ist")
_HAVE: Final = rf"i(?:'ve)?(?: just| also)? {any_of('got received found copied pasted wrote drafted saw')}"
_ABOUT_AUTHOR: Final = r"(?: about (?:me|myself|us|my|our)| on (?:my|our))\b"
_WROTE: Final = any_of("wrote writes sent emailed texted posted replied answered responded")
_SAYS: Final = (
    rf"(?:{_TEXT}|readme|docs|wiki|policy|terms|website|page) {any_of('say says read reads goes state states')}"
)
_WROTE_ELSEWHERE: Final = any_of("""
    schrieb schreibt geschrieben geschickt schickte antwortete geantwortet sagte
    m'a_écrit m'a_envoyé m'a_répondu m'a_dit m'e_écrit m'e_envoyé m'e_répondu m'e_dit a_écrit a_envoyé a_répondu
    me_escribió me_dijo me_mandó me_envió me_respondió nos_escribió nos_dijo nos_mandó nos_envió nos_respondió
    escribió respondió ha_scritto ha_mandato ha_risposto ha_detto escreveu respondeu enviou mandou
""")
_SHOWN_ELSEWHERE: Final = any_of("""
    este_es esta_es esto_es aquí_está voici voilà ecco questo_è este_é esta_é isto_é aqui_está
""")
_TEXT_ELSEWHERE: Final = any_of("""
    correo mensaje carta texto artículo message lettre texte courriel mail messaggio lettera testo mensagem e-mail
""")
_SHOWN: Final = (
    rf"\b(?:{_HERE}|{_HAVE}|hier kommt|ich hab|ich habe)\b[^:\n]{{0,60}}?\b{_TEXT}\b(?!{_ABOUT_AUTHOR})",
    rf"\b(?:the|an?|my|our|their|his|her) (?:[\w-]+ ){{0,4}}?{_WROTE}\b[^:\n]{{0,60}}",
    rf"\b(?:the|an?|this|his|her|their|your|docs?|readme) (?:[\w-]+ ){{0,3}}?{_SAYS}\b[^:\n]{{0,30}}",
    r"\bdear (?!diary\b)[\w .]{2,40},",
    rf"\b{_WROTE_ELSEWHERE}(?=\s*[:：]\W*\Z)",
    rf"\b{_SHOWN_ELSEWHERE}\b[^:\n]{{0,30}}?\b{_TEXT_ELSEWHERE}\b",
)
_OTHERS: Final = any_of("a an the my our his her their eine einem einer einen meine meinem meiner meinen der dem")
_FROM_OTHERS: Final = rf"\b{_TEXT} (?:from|by|of|von|vom) (?:{_OTHERS} |(?-i:[A-Z]))[^:\n]{{0,40}}"
_FOUND: Final = rf"\b{_HERE} (?:an?|the|some) (?:[\w-]+ ){{0,2}}?{_TEXT} (?:that )?(?:i|we)(?:'ve)? (?:just )?{any_of('found saw got received read')}\b"
_MADE_UP: Final = any_of("""
    story stories poem song scene monologue diary_entry fairy_tale novel limerick rap screenplay
    geschichte gedicht lied szene märchen tagebucheintrag
""")
_FICTION: Final = (
    rf"\b{any_of('write tell continue begin compose schreib schreibe erzähl erzähle')} (?:[\w-]+ ){{0,4}}?{_MADE_UP}\b"
)
_INTRODUCES: Final = re.compile("|".join((_REQUEST, *_SHOWN, rf"{_FROM_OTHERS}(?=[:：])")), re.IGNORECASE)
_BEGINS_WITH_REQUEST: Final = re.compile(
    rf"(?:(?:please|pls|can you|could you|now|kannst du|bitte) )*{_WORK}\b", re.IGNORECASE
)
_POINTS: Final = re.compile(rf"{_REQUEST}|\b{_HERE}\b", re.IGNORECASE)
_ON_SAME_LINE: Final = re.compile(
    rf"(?:{_REQUEST}|\A{_FROM_OTHERS}|{_FOUND}|{_FICTION}|\A(?:song )?lyrics)[^:\n]{{0,40}}:[ \t]*(?=\S)", re.IGNORECASE
)
_HEADERS: Final = any_of(
    "from to subject date sent cc von an betreff gesendet datum de para asunto objet à oggetto assunto"
)
_MAIL_HEADER: Final = re.compile(rf"{_HEADERS}\s?:\s", re.IGNORECASE)
_IN_FICTION: Final = re.compile(rf"{_FICTION} (?:where|in which|wo|in der|in dem)\b[^.!?\n]*[.!?]*", re.IGNORECASE)


def without_fiction(text: str) -> str:
    """The text without what a request makes up: `Tell me a story where I'm a knight`."""
    return _IN_FICTION.sub("", text)


def without_introduced(lines: Sequence[str]) -> list[str]:
    """The lines without the text that one of them introduces, up to the last paragraph if that asks something again."""
    following = _following(lines)
    for index, line in enumerate(lines):
        short = line[:MAX_LINE].strip(" \t*_")
        if (inline := _ON_SAME_LINE.search(short)) and short[inline.end()] not in QUOTATION_MARKS:
            return [*lines[:index], short[: inline.start()], *_closing(lines[index + 1 :])]
        blank_follows = not "".join(lines[index + 1 : index + 2]).strip()
        announced = following[index] and not following[index].startswith(("```", "~~~", ">"))
        is_mail = _MAIL_HEADER.match(short) and _MAIL_HEADER.match(following[index])
        if is_mail or (announced and _is_introduction(short, blank_follows=blank_follows)):
            return [*lines[:index], *_closing(lines[index + 1 :])]
    return list(lines)


def _following(lines: Sequence[str]) -> list[str]:
    """For each line the next one that is not empty; blank without one."""
    found: list[str] = []
    following = ""
    for line in reversed(lines):
        found.append(following)
        following = line.strip() or following
    return found[::-1]


def _is_introduction(line: str, *, blank_follows: bool) -> bool:
    """Whether a line announces the text that follows it: with a colon, or as a request before an empty line."""
    if not _INTRODUCES.search(line):
        return False
    if line.endswith((":", "：")):
        return True
    ended = line.endswith("?") or (line.endswith((".", "!")) and _POINTS.search(line) is not None)
    return blank_follows and (ended or _BEGINS_WITH_REQUEST.match(line) is not None)


def _closing(lines: Sequence[str]) -> list[str]:
    """The last paragraph after a pasted text, if it is short and asks something: `what are my rights?`."""
    paragraphs = "\n".join(lines).strip().split("\n\n")
    last = paragraphs[-1].strip()
    return [last] if len(paragraphs) > 1 and len(last) <= _MAX_CLOSING and is_question(last) else []
