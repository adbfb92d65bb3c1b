"""Which statement says what is now in the place of what another one states (contract 11.2, conflictBoost).

"Aylin left; Tarek does the social media from now on" names Aylin in one clause, and says in another one what "Aylin does our social
media" says, without her. "Mila is at the Waldorf school now" says that it was not always so, and has another place than "Mila goes
to Lindenhof primary school". Neither needs a word for why it changed, in any language.
"""

from typing import Final

from memd.domain.ranking.endings import may_end
from memd.domain.ranking.statement_clauses import Clause
from memd.domain.ranking.statement_words import stems_of
from memd.domain.ranking.statements import SHARE, Statement
from memd.domain.ranking.update_words import words_for

_LIGHT_VERBS: Final = stems_of(words_for(lambda each: each.light))
"""Verbs that say little of what is asked: another one stands in the new statement."""


def takes_over(older: Statement, newer: Statement, asked: frozenset[str]) -> bool:
    """Whether a clause of the newer one says what is now in the place of what the older one states.

    `asked` are the stems of the question: none of them, but for a light verb, may be of the older one alone, so that it is
    not about what else the older one says.
    """
    if (older.meaning - newer.meaning) & asked - _LIGHT_VERBS:
        return False
    several = len(newer.clauses) > 1
    return any(_is_in_place(older, newer, clause, asked) for clause in newer.clauses if several or clause.changed)


def _is_in_place(older: Statement, newer: Statement, clause: Clause, asked: frozenset[str]) -> bool:
    """Whether a clause says so, of what lasts: what happened once is in the place of nothing."""
    if clause.stems.isdisjoint(older.meaning) or clause.stems <= older.meaning:
        return False
    others = frozenset[str]().union(*(other.stems for other in newer.clauses if other is not clause))
    subject = frozenset({older.clauses[0].named_first} if older.clauses else ())
    return (
        any(_succeeds(one, subject, clause, others, asked) for one in older.clauses)
        or _differs_now(older, newer, clause)
    ) and (clause.changed or may_end(clause.text))


def _succeeds(
    older: Clause, subject: frozenset[str], newer: Clause, others: frozenset[str], asked: frozenset[str]
) -> bool:
    """Whether a clause repeats an older one, but for the words that the other clauses (`others`: their stems) share with it.

    `subject` is the name that the older statement begins with. What they name is not asked for: "Ben called; Anna's birthday is
    in May" does not answer when Ben's is.
    """
    stated = older.stems | subject
    named = others & stated
    if named & newer.stems or named & asked - subject or not named - asked - _LIGHT_VERBS:
        return False
    if named & asked and newer.named_first and newer.named_first not in stated:
        return False
    remaining = stated - named
    same = newer.stems & remaining
    if not same - subject:
        return False
    return len(same) >= SHARE * len(remaining) or _has_other_value(older, newer)


def _differs_now(older: Statement, newer: Statement, clause: Clause) -> bool:
    """Whether the clause says that it was not always so, and has another name or day in the same role."""
    return clause.changed and newer.shares_half(older) and any(_has_other_value(one, clause) for one in older.clauses)


def _has_other_value(older: Clause, newer: Clause) -> bool:
    """Whether a name stands where the older clause has another name, which the newer one has not."""
    return any(
        stems - newer.stems and newer.roles.get(role, frozenset()) - stems for role, stems in older.roles.items()
    )
