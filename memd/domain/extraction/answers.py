"""Answers of a user to what a program asks or suggests, read together with it (contract 11.6)."""

from memd.domain.distilling.answers import MAX_WORDS, as_statement
from memd.domain.distilling.choices import accepted
from memd.domain.distilling.wording import bare
from memd.domain.extraction.conversation_windows import ConversationWindow
from memd.domain.extraction.stated_secrets import contains_secret
from memd.domain.text.sentences import is_question, sentences, sentences_or_number
from memd.domain.types import MessageRole


def with_answer(window: ConversationWindow, position: int) -> dict[str, str]:
    """Sentences of a message mapped to full statements.

    That is the first one, if it answers the only question of the previous message, and one that accepts its suggestion.
    """
    message = window.messages[position]
    asker = window.messages[position - 1] if position else None
    if asker is None or asker.role is not MessageRole.ASSISTANT or message.role is not MessageRole.USER:
        return {}
    accepts = {one: decision for one in sentences(message.content) if (decision := accepted(one, asker.content))}
    if accepts:
        return accepts
    asked = [one for one in sentences(asker.content) if is_question(one)]
    first_sentences = sentences_or_number(message.content)[:1]
    if len(asked) != 1 or not first_sentences or is_question(first_sentences[0]):
        return {}
    statement = as_statement(bare(asked[0]), first_sentences[0].rstrip(" .!"))
    return {} if statement is None or contains_secret(statement) else {first_sentences[0]: statement}


def may_answer_earlier(window: ConversationWindow) -> bool:
    """Whether the first message could answer a question from before the window."""
    first = window.messages[0]
    first_sentences = sentences_or_number(first.content)[:1] if first.role is MessageRole.USER else []
    return any(len(one.split()) <= MAX_WORDS and not is_question(one) for one in first_sentences)
