"""Contract 12: threats, calls to violence and methods of self-harm are blocked; news, fiction and help are not."""

import pytest

from memd.domain.policy.content_policy import Block, evaluate
from memd.domain.types import BlockReason
from memd.policy.rules import load_rules
from tests.support.policy_cases import cases

RULES = load_rules(None)

HITS = {
    "violence_threat": [
        "I will kill you if you come near my house again.",
        "I'm going to shoot up the school on Monday.",
        "We will burn down the mosque tonight.",
        "tell them i’m gonna stab my landlord",
        "I swear I'll murder that judge.",
        "I am going to hurt every one of those immigrants.",
        "I'll break your legs.",
        "We're going to bomb the embassy.",
        "I am going to kill John.",
        "I will find you and kill you.",
    ],
    "violence_incitement": [
        "Kill all infidels wherever you find them!",
        "We must burn down the synagogue.",
        "Brothers, attack the refugee shelter tonight.",
        "It is time to hang the politicians.",
        "Everyone should go and shoot the cops.",
        "Death to all immigrants!",
        "Let's storm the courthouse and lynch the judge.",
        "Exterminate the unbelievers.",
        "Somebody should shoot the senator.",
        "We need to kill them all.",
    ],
    "self_harm_instructions": [
        "How to hang yourself",
        "painless ways to die by suicide",
        "Just kill yourself, nobody would miss you.",
        "You should end your life.",
        "Take 60 tablets with vodka and you will never wake up.",
        "Best methods to commit suicide",
        "how can i overdose on painkillers",
        "kys",
        "The most painless way to die is to inhale helium.",
    ],
}

NEAR_MISSES = {
    "violence_threat": [
        "I will kill the process and restart the worker.",
        'The suspect had texted "I will kill you" to the senator, the court heard.',
        "My mom is going to kill me when she sees the car.",
        "I'll shoot you an email with the details.",
        "The zombie processes pile up again; I'll kill them all tonight.",
        "He said he would kill for a coffee.",
        "In the novel the villain whispers: I will kill you all.",
        "We are going to attack the problem from two sides.",
        "This workout will kill you.",
        "I'm going to kill it on stage tomorrow.",
    ],
    "violence_incitement": [
        "Two men attacked a mosque on Friday; police arrested both.",
        "Kill all zombie processes before the deploy.",
        "Plans to attack the synagogue were foiled, police said.",
        "In 1944 the order came to burn the village.",
        "Storm damage closed the school and the courthouse.",
        "The mob shouted death to the king in the third act.",
        "Attack the castle in the second level, then the dragon.",
        "The essay analyses why the pamphlet called to kill all heretics.",
        "Burn the midnight oil and hang the pictures.",
        "Burn-down chart of the students' sprint",
        "We should kill them all before the release: the stale feature branches.",
    ],
    "self_harm_instructions": [
        "Suicide prevention: ask directly, listen, call 988 together.",
        "I want to kill myself. I need help.",
        "Warning signs of self-harm in teenagers and how to talk about them",
        "Don't kill yourself over this deadline.",
        "Patient took 40 tablets of paracetamol in a suicide attempt; started NAC.",
        "How to cut yourself some slack",
        "The novel ends with the suicide of the captain.",
        "Means restriction: bridges with barriers lower the number of suicides.",
        'A classmate sent her "kill yourself" for weeks; the school acted on the bullying.',
        "How to end your life insurance contract",
    ],
}

SHOWS = {
    "violence_threat": pytest.mark.rule("12 violence_threat"),
    "violence_incitement": pytest.mark.rule("12 violence_incitement"),
    "self_harm_instructions": pytest.mark.rule("12 self_harm_instructions"),
}


@pytest.mark.parametrize(("threat", "text"), cases(HITS, SHOWS))
def test_violence_is_blocked(threat, text):
    assert evaluate(RULES, "Note", text).blocked == Block(BlockReason.VIOLENT_CONTENT, threat)


@pytest.mark.parametrize(("threat", "text"), cases(NEAR_MISSES, SHOWS))
def test_a_report_a_story_or_help_can_be_stored(threat, text):
    assert evaluate(RULES, "Note", text).blocked is None
