"""Letters and mails in a message: from a greeting of a person to the name under them."""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from memd.domain.text.alternatives import any_of

_GREETS: Final = any_of("""
    hi hello hey dear good_morning good_afternoon good_evening
    hallo liebe lieber liebes sehr_geehrte sehr_geehrter sehr_geehrtes guten_tag guten_morgen guten_abend moin
    bonjour cher chere chère chers cheres chères madame
    hola estimado estimada estimados estimadas querido querida queridos queridas buenos_días buenas_tardes
    ciao gentile caro cara
""")
_GREETING: Final = re.compile(rf"{_GREETS}\b[\w .'’-]{{0,50}}[,!:]?\s*\Z", re.IGNORECASE)
_PROGRAMS: Final = any_of("there again claude chatgpt gpt gemini copilot codex cursor assistant bot")
_TO_PROGRAM: Final = re.compile(rf"\w+(?: {_PROGRAMS})?[,.! ]*", re.IGNORECASE)
"""A greeting without the name of a person."""
_SIGN_OFF: Final = re.compile(
    any_of("""
        regards wishes kind_regards best_regards warm_regards many_regards best_wishes kind_wishes warm_wishes
        best cheers sincerely yours yours_truly yours_sincerely yours_faithfully thanks thanks_a_lot thanks_again
        thanks_in_advance many_thanks thank_you love x xo xoxo take_care talk_soon
        viele_grüße liebe_grüße beste_grüße herzliche_grüße freundliche_grüße mit_freundlichen_grüßen
        mit_besten_grüßen mit_lieben_grüßen mit_herzlichen_grüßen mfg lg vg gruß
        cordialement bien_à_vous bien_à_toi saludos un_saludo atentamente un_abrazo cordiali_saluti
"""),
    re.IGNORECASE,
)
_NAME_LINE: Final = re.compile(r"\W*[^\W\d_a-zß-ÿ][\w.'’-]*(?: [\w.'’-]+){0,4}\W*")


def without_letter(lines: Sequence[str]) -> list[str]:
    """The lines without a letter; all of them when its greeting or its end is missing, or it greets a program."""
    stripped = [line.strip() for line in lines]
    written = [index for index, line in enumerate(stripped) if line]
    signed = [
        (index, name)
        for index, name in itertools.pairwise(written)
        if _SIGN_OFF.fullmatch(stripped[index].strip(" ,.!")) and _NAME_LINE.fullmatch(stripped[name])
    ]
    greeted = [
        index for index in written if _GREETING.match(stripped[index]) and not _TO_PROGRAM.fullmatch(stripped[index])
    ]
    if not signed or not greeted or greeted[0] > signed[-1][0]:
        return list(lines)
    return [*lines[: greeted[0]], *lines[signed[-1][1] + 1 :]]
