"""The words of a message that are its author's own and may be kept: what somebody pastes or makes up says nothing of them.

Left out are texts that a request introduces ("Summarise this email:"), mails, letters, chats of several voices, quotations
in which somebody else says "I", messages that set a scene to play ("Pretend you are my boss"), and what a program drafts
("Here is the email:"). So is a message that is not to be kept ("This is off the record"). Introductions are
recognised in English, German and, where they end with a colon, in Romance languages; letters and chats by their form.
"""

import re
from dataclasses import replace
from typing import Final

from memd.domain.extraction.conversation_windows import ConversationWindow, SourceMessage
from memd.domain.text.sentences import is_question
from memd.domain.types import MessageRole

_MAX_LINE: Final = 300
"""Characters of a line in which an introduction is looked for."""
_MAX_CLOSING_LINE: Final = 200
"""Characters of a last paragraph that may be the author's own again."""
_QUOTES: Final = '"“„«`'
_TEXT: Final = (
    r"(?:e-?mails?|mails?|messages?|texts?|letters?|articles?|posts?|paragraphs?|essays?|stor(?:y|ies)|drafts?|abstracts?|sentences?|quotes?|passages?"
    r"|reviews?|feedback|complaints?|comments?|tweets?|ads?|adverts?|adverti[sz]ements?|(?:job )?(?:descriptions?|offers?|postings?)|transcripts?|conversations?|chats?|dialog(?:ue)?s?|logs?"
    r"|notes?|speech|poems?|lyrics|threads?|contracts?|clauses?|excerpts?|sections?|documents?|papers?|reports?|snippets?|statements?|invitations?|announcements?"
    r"|newsletters?|tickets?|nachrichten?|briefe?|artikel|absatz|absätze|aufsatz|geschichten?|entwurf|satz|sätze|zitate?|gedichte?|vertrag|anzeigen?|stellenanzeigen?|beiträge?|beitrag|protokolle?)"
)
_WORK: Final = (
    r"(?:summari[sz]e|translate|proofread|review|rewrite|rephrase|paraphrase|shorten|improve|fix|correct|edit|check|polish|analy[sz]e|explain|classify"
    r"|extract|reply|respond|answer|read|look at|format|convert|critique|grade|rate|simplify|expand|continue|finish|tl;?dr|what do you (?:think|make) of"
    r"|feedback (?:on|for)|turn|make|fasse?|übersetze?|korrigiere?|verbessere?|kürze?|prüfe?|lies|antworte?|formuliere?|schreibe?|bewerte?|erkläre?"
    r"|traduis|résume|corrige|traduce|resume|reescribe|responde)"
)
_THIS: Final = r"(?:this|these|the following|that|below|following|diese[nrsm]?|folgende[nrsm]?|das|ce(?:tte)?|est[ea])"
_WHOSE: Final = r"(?:my|our|his|her|their|the|an?|die|der|den|das|ein(?:e[nr]?)?|mein(?:e[nr]?)?|unser(?:e[nr]?)?)"
_TO_CHANGE: Final = (
    r"\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|shorten|correct|convert|format|simplify|fasse?|übersetze?|korrigiere?|verbessere?|kürze?"
    r"|traduis|résume|corrige|traduce|resume|reescribe)"
)
_ASKS_FOR_WORK: Final = rf"\b{_WORK}\b(?:[^:\n]{{0,60}}?\b{_THIS}\b(?! out\b)|[^:\n]{{0,40}}?\b{_WHOSE} (?:[\w-]+ ){{0,3}}?{_TEXT}\b)|{_TO_CHANGE}(?: (?:in|into|to|as|ins?|auf|nach|en|a) [^:\n]{{2,40}})?(?=\s?:)|\b(?:what (?:does|do|is|would)|how (?:do|should|can|would) i (?:reply|answer|respond)(?: to)?) {_THIS}\b"
_SHOWS: Final = (
    rf"\b(?:here(?:'s| is| are)|this is|below is|i(?:'ve)?(?: just| also)? (?:got|received|found|copied|pasted|wrote|drafted|saw)|hier ist|hier kommt|ich habe?)\b[^:\n]{{0,60}}?\b{_TEXT}\b(?! (?:about (?:me|myself|us|my|our)|on (?:my|our))\b)"
    rf"|\b(?:the|an?|my|our|their|his|her) (?:[\w-]+ ){{0,4}}?(?:wrote|writes|sent|emailed|texted|posted|replied|answered|responded)\b[^:\n]{{0,60}}"
    rf"|\b(?:the|an?|this|his|her|their|your|docs?|readme) (?:[\w-]+ ){{0,3}}?(?:{_TEXT}|readme|docs|wiki|policy|terms|website|page) (?:says?|reads?|goes|states?)\b[^:\n]{{0,30}}"
    r"|\bdear (?!diary\b)[\w .]{2,40},"
    r"|\b(?:schrieb|schreibt|geschrieben|geschickt|schickte|antwortete|geantwortet|sagte|m'[ae] (?:écrit|envoyé|répondu|dit)|a (?:écrit|envoyé|répondu)|(?:me|nos) (?:escribió|dijo|mandó|envió|respondió)"
    r"|escribió|respondió|(?:ha|mi ha|ci ha) (?:scritto|mandato|risposto|detto)|escreveu|respondeu|enviou|mandou)(?=\s*[:：]\W*\Z)"
    r"|\b(?:est[eao] es|aquí está|voici|voilà|ecco|questo è|(?:este|esta|isto|aqui está) é?)\b[^:\n]{0,30}?\b(?:correo|mensaje|carta|texto|artículo|message|lettre|texte|courriel|mail|messaggio|lettera|testo|mensagem|e-mail)\b"
)
_FROM_OTHERS: Final = rf"\b{_TEXT} (?:from|by|of|von|vom) (?:(?:an?|the|my|our|his|her|their|eine[rmn]?|meine[rmn]?|der|dem) |(?-i:[A-Z]))[^:\n]{{0,40}}"
_INTRODUCES: Final = re.compile(rf"(?:{_ASKS_FOR_WORK}|{_SHOWS}|{_FROM_OTHERS}(?=[:：]))", re.IGNORECASE)
_BEGINS_WITH_REQUEST: Final = re.compile(
    rf"(?:(?:please|pls|can you|could you|now|kannst du|bitte) )*{_WORK}\b", re.IGNORECASE
)
_MAIL_HEADER: Final = re.compile(
    r"(?:from|to|subject|date|sent|cc|von|an|betreff|gesendet|datum|de|para|asunto|objet|à|oggetto|assunto)\s?:\s",
    re.IGNORECASE,
)
_HERE: Final = re.compile(rf"(?:{_ASKS_FOR_WORK}|\b(?:here(?:'s| is| are)|this is|below is|hier ist)\b)", re.IGNORECASE)
_COLON: Final = re.compile(rf"(?:{_ASKS_FOR_WORK}|\A{_FROM_OTHERS})[^:\n]{{0,40}}:[ \t]*(?=\S)", re.IGNORECASE)
"""What introduces a text on the same line."""
_DRAFTED: Final = re.compile(
    r"\b(?:draft|e-?mail|letter|message|reply|response|post|tweet|story|poem|song|essay|speech|translation|translated|version|rewrite|article|dialogue|bio"
    r"|entwurf|nachricht|brief|antwort|übersetzung|geschichte|gedicht|traduction|traducción|traduzione|tradução|lettre|carta|lettera)\b[^:\n]{0,60}[:：]\W*\Z",
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|moin|bonjour|ch[eè]re?s?"
    r"|madame|hola|estimad[oa]s?|querid[oa]s?|buenos días|buenas tardes|ciao|gentile|car[oa])\b[\w .'’-]{0,50}[,!:]?\s*\Z",
    re.IGNORECASE,
)
_TO_PROGRAM: Final = re.compile(
    r"\w+(?: there| again| claude| chatgpt| gpt| gemini| copilot| codex| cursor| assistant| bot)?[,.! ]*", re.IGNORECASE
)
"""A greeting without the name of a person."""
_SIGN_OFF: Final = re.compile(
    r"(?:(?:kind|best|warm|many) )?(?:regards|wishes)|best|cheers|sincerely|yours(?: (?:truly|sincerely|faithfully))?|thanks(?: (?:a lot|again|in advance))?"
    r"|many thanks|thank you|love|xo+|take care|talk soon|(?:viele|liebe|beste|herzliche|freundliche) grüße|mit (?:freundlichen|besten|lieben|herzlichen) grüßen|mfg|lg|vg|gruß"
    r"|cordialement|bien à (?:vous|toi)|saludos|un saludo|atentamente|un abrazo|cordiali saluti",
    re.IGNORECASE,
)
_NAME_LINE: Final = re.compile(r"\W*[^\W\d_a-zß-ÿ][\w.'’-]*(?: [\w.'’-]+){0,4}\W*")
_TURN: Final = re.compile(r"\s*(?:[-*>] )?\**(?:\[[^\]]{1,20}\] )?(?P<label>[^\W\d_][\w .'’-]{0,24}?)\**\s*:\**\s+\S")
_VOICES: Final = (
    "user human assistant ai bot chatbot system agent customer client support me you kunde nutzer assistent"
)
_ROLES: Final = frozenset(_VOICES.split())
_QUOTATION: Final = re.compile(r"[\"“„«]([^\"“”„«»\n]{8,2000}(?:\n[^\"“”„«»\n]+){0,20})[\"”“»]")
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i’m|i've|my|me|we|we're|our|us|ich|mein\w*|wir|unser\w*|je|j'|j’|mon|ma|mes|nous|yo|mi|mis|nosotros)\b",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"[.!?\n:](?=\s)")
_COMMENTED: Final = re.compile(r",? (?:and|but) (?:i|we)\b", re.IGNORECASE)
"""What follows a quotation that the author answers: `… and I agree`."""
_AFTER_QUOTATION: Final = re.compile(r"[ ,;:]*")
_OF_OTHERS: Final = re.compile(
    r"\b(?:translate|write|rewrite|rephrase|paraphrase|reply|respond|story|poem|song|novel|lyrics|übersetze?|schreibe?)\b"
    r"|(?<!\bi )(?<!\bwe )(?<!\balways )(?<!\boften )\b(?:says?|said|asks?|asked|told|tells|wrote|writes|sagt|sagte|schrieb)\b",
    re.IGNORECASE,
)
"""What is said before a quotation of somebody else's, or of a text to work on."""
_REPORTED: Final = re.compile(
    r"\b(?:(?:he|she) |(?:my|our|his|her|their) (?!(?:\w+ )?(?:doctor|dr|gp|dentist|therapist|psychiatrist|nurse|midwife|vet|physio)\b)(?:[\w-]+ ){1,2}?)"
    r"(?:(?:always|just|once|often|only) )?(?:said|says|told me|wrote|writes|texted|replied|answered)(?: me| back| to me)?: ?(?=(?:i|i['’]m|i['’]ve|my)\b)"
    r"(?!i (?:can|may|could|should|must|need to|have to|get to|am allowed|don['’]t (?:have|need) to)\b)[^\n]*",
    re.IGNORECASE,
)
"""Somebody else's words without quotation marks: `My boss wrote: I quit`; what a doctor says, and what
the author may or must do (`Our manager told me: I can work from home`), is mostly about the author."""
_SCENE: Final = re.compile(
    r"(?:(?:\A|[.!?\n])[ \t]{0,4}|\b(?:please|now|let's|let us|can you|could you) )"
    r"(?:(?:pretend|imagine)(?: that)? (?:you(?:'re| are| were|r)?\b|to be\b|as if\b|we(?:'re| are)\b)|act (?:as if|like) (?:you|we)\b|role-?play\b)"
    r"|\b(?:stell dir vor|tu so als|spiel(?:e|st)? (?:du )?(?:einen?|meinen?|die rolle))\b",
    re.IGNORECASE,
)
_ENDS: Final = (
    r"(?=\W*\Z|\s*[.,;:!?)\n–—-]|\s+(?:please|but|because|since|and|though|thanks|anywhere|at all|about me|for me|for later"
    r"|(?:to|in|on) (?:your |the )?(?:memory|memories|profile|records?|side))\b)"
)
"""The end of the wish: `Don't save this.`, but not `Don't log this at info level` or `Keep this private method`."""
_BETWEEN_US: Final = r"between (?:us|you and me|the two of us)"
_NOT_TO_KEEP: Final = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )(?<!\busers )(?<!\bcan )\b(?:don't|don’t|do not|never) (?:ever )?(?:save|store|remember|record|keep|memori[sz]e|note|log)"
    rf" (?:(?:this|that|it|these|any of (?:this|that|it)){_ENDS}|(?:anything (?:i (?:say|tell you)|about me)|what i(?:'m| am)? (?:say(?:ing)?|tell(?:ing)?|said|told)"
    r"|my (?:\w+ )?(?:data|details|info(?:rmation)?|diagnosis))\b(?! (?:in|into|on|as|to|inside|under)\b))"
    rf"|\boff the record\b|(?:(?:\A|[.!?;:,(\n–—])[ \t]*|\b(?:just|strictly|only|this is|this stays|that stays|it stays) ){_BETWEEN_US}{_ENDS}"
    rf"|\bnot for (?:your|the) (?:memory|records?)\b|\bkeep (?:this|that|it) (?:{_BETWEEN_US}|to yourself|secret|private|off the record){_ENDS}"
    rf"|\bthis is (?:strictly |highly )?confidential{_ENDS}|\b(?:(?:unter uns|im vertrauen) gesagt|ganz im vertrauen)\b"
    r"|\b(?:merke?|speicher[en]?|notiere?|behalte?)(?: dir)? (?:das|dies|es|davon)(?: bitte)? (?:nicht|nichts)\b(?! (?:in|im|auf|als|unter)\b)"
    r"|(?:\bno (?:l[oa] (?:guardes?|recuerdes?|registres?|memorices?|anotes?)|(?:guardes?|recuerdes?|registres?|memorices?|anotes?) (?:esto|eso|nada))"
    r"|\b(?:ne |n['’])(?:m[ée]morise[rz]?|garde[rz]?|note[rz]?|retiens|retenez|sauvegarde[rz]?|enregistre[rz]?) (?:pas (?:ça|cela|ceci)|rien)"
    r"|\bne (?:l[ea] |l['’])(?:m[ée]morise[rz]?|garde[rz]?|note[rz]?|retiens|retenez|sauvegarde[rz]?|enregistre[rz]?) pas"
    r"|\bnon (?:(?:salvare|memorizzare|ricordare|registrare) (?:questo|ciò|nulla|niente)|(?:salvar|memorizzar|ricordar|registrar)lo)"
    r"|\bnão (?:guarde|salve|registre|memorize|anote)s? (?:isso|isto|nada))\b(?! (?:en|dans|sur|in|su|nel|nella|no|na|em)\b)",
    re.IGNORECASE,
)
"""The author's wish that nothing is kept of the message; `Never store it in the repository` is about something else."""


def in_own_words(window: ConversationWindow) -> ConversationWindow:
    """The window with each message reduced to its author's own words."""
    return replace(
        window,
        messages=tuple(
            one if one.role is MessageRole.SYSTEM else replace(one, content=_of_author(one)) for one in window.messages
        ),
    )


def _of_author(message: SourceMessage) -> str:
    return without_drafts(message.content) if message.role is MessageRole.ASSISTANT else own_words(message.content)


def may_be_kept(text: str) -> bool:
    """Whether the author of a message does not ask that nothing is kept of it."""
    return _NOT_TO_KEEP.search(text) is None


def own_words(text: str) -> str:
    """A message without what its author pasted or quoted; blank when it sets a scene to play, or is not to be kept."""
    if _SCENE.search(text) or not may_be_kept(text):
        return ""
    lines = _without_letter(_without_chat(text.splitlines()))
    return _without_quotations(_REPORTED.sub("", "\n".join(_without_introduced(lines))))


def without_drafts(text: str) -> str:
    """The message of a program without letters, quotations, and what it drafts or translates for the user."""
    lines = _without_letter(text.splitlines())
    first = next((index for index, line in enumerate(lines) if _DRAFTED.search(line[:_MAX_LINE])), len(lines))
    return _without_quotations("\n".join(lines[:first]))


def _without_introduced(lines: list[str]) -> list[str]:
    """The lines without the text that one of them introduces, up to the last paragraph if that asks something again."""
    following = _following(lines)
    for index, line in enumerate(lines):
        short = line[:_MAX_LINE].strip(" \t*_")
        if (inline := _COLON.search(short)) and short[inline.end()] not in _QUOTES:
            return [*lines[:index], short[: inline.start()], *_closing(lines[index + 1 :])]
        blank_follows = not "".join(lines[index + 1 : index + 2]).strip()
        announced = following[index] and not following[index].startswith(("```", "~~~", ">"))
        is_mail = _MAIL_HEADER.match(short) and _MAIL_HEADER.match(following[index])
        if is_mail or (announced and _is_introduction(short, blank_follows=blank_follows)):
            return [*lines[:index], *_closing(lines[index + 1 :])]
    return lines


def _following(lines: list[str]) -> list[str]:
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
    ended = line.endswith(("?", ".", "!")) and (line.endswith("?") or _HERE.search(line) is not None)
    return blank_follows and (ended or _BEGINS_WITH_REQUEST.match(line) is not None)


def _closing(lines: list[str]) -> list[str]:
    """The last paragraph after a pasted text, if it is short and asks something: `what are my rights?`."""
    paragraphs = "\n".join(lines).strip().split("\n\n")
    last = paragraphs[-1].strip()
    return [last] if len(paragraphs) > 1 and len(last) <= _MAX_CLOSING_LINE and is_question(last) else []


def _without_letter(lines: list[str]) -> list[str]:
    """The lines without a letter: from its greeting to the name under it."""
    stripped, following = [line.strip() for line in lines], _following(lines)
    signed = [
        index
        for index, line in enumerate(stripped)
        if _SIGN_OFF.fullmatch(line.strip(" ,.!")) and _NAME_LINE.fullmatch(following[index])
    ]
    greeted = [
        index for index, line in enumerate(stripped) if _GREETING.fullmatch(line) and not _TO_PROGRAM.fullmatch(line)
    ]
    if not signed or not greeted or greeted[0] > signed[-1]:
        return lines
    named = next(index for index in range(signed[-1] + 1, len(lines)) if stripped[index])
    return [*lines[: greeted[0]], *lines[named + 1 :]]


def _without_chat(lines: list[str]) -> list[str]:
    """The lines without the turns of a chat: two voices of which one speaks twice, or both are known roles."""
    turns = {index: match["label"].casefold() for index, line in enumerate(lines) if (match := _TURN.match(line))}
    voices = set(turns.values())
    roles = {label for label in voices if label.split()[-1] in _ROLES}
    is_chat = len(voices) > 1 and (len(roles) > 1 or len(turns) > len(voices))
    return [line for index, line in enumerate(lines) if index not in turns] if is_chat else lines


def _without_quotations(text: str) -> str:
    """The text without quotations in the first person that stand in words about somebody else, and without those words."""
    kept: list[str] = []
    end = 0
    for match in _QUOTATION.finditer(text):
        before = text[max(end, match.start() - _MAX_LINE) : match.start()]
        said = before.rstrip(" :,")
        lead = _BREAK.split(said)[-1]
        is_own = _FIRST_PERSON.search(lead) and not _OF_OTHERS.search(lead)
        if _FIRST_PERSON.search(match[1]) and not is_own and not _COMMENTED.match(text, match.end()):
            kept.append(text[end : match.start() - len(before) + len(said) - len(lead)])
            end = _AFTER_QUOTATION.match(text, match.end()).end()  # type: ignore[union-attr]
    return "\n\n".join([*kept, text[end:]])
