"""Texts that differ in little more than a number, and questions that name one of them: four families, made by a seed.

`numbers`: near-identical sentences with numbers near each other. `roles`: the same number as a room and as an order, as a
pump and as a tank. `spellings`: the number asked for in another way of writing than the text has. `pages`: the blue valve
of unit N, on thirty pages.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from memctl.evaluation import Question
from tests.bench.eval.data import Text

SEED: Final = 7
FIRMS: Final = (
    "Miller Ltd",
    "Acme Tools",
    "Northwind",
    "Hansen & Sons",
    "Blue Harbour",
    "Okafor Foods",
    "Lindqvist AB",
)
MONTHS: Final = ("January", "March", "April", "June", "August", "September", "November")
CITIES: Final = ("Oslo", "Lisbon", "Warsaw", "Dublin", "Vienna", "Riga", "Bern", "Porto", "Ghent", "Turin")
PEOPLE: Final = ("Amira", "Jonas", "Priya", "Tomasz", "Elena", "Kwame", "Ingrid", "Mateo", "Yuki", "Farid")
FAULTS: Final = (
    *("the printer does not wake up", "the login page is blank", "the report has no totals", "mails arrive twice"),
    *("the scanner is out of focus", "the map does not load", "the backup stopped", "the calendar shows last year"),
)
CAUSES: Final = (
    *("the certificate has expired", "the disk is full", "the upload was too large", "the address is unknown"),
    *("the session has ended", "the licence is missing", "the queue is closed", "the clock is wrong"),
    *("the reply came too late", "the schema is older than the program", "the key was revoked", "the port is taken"),
)
ROWS: Final = 12
PAGES: Final = 30


@dataclass(frozen=True, slots=True)
class Family:
    """Texts, and questions of which each is answered by one of them."""

    name: str
    texts: Sequence[Text]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Kind:
    """A numbered thing: `text` writes a sentence about its number, `question` asks for it."""

    title: str
    text: Callable[[str, random.Random], str]
    question: str


NUMBERED: Final = (
    Kind(
        "Invoice",
        lambda n, r: (
            f"Invoice {n} from {r.choice(FIRMS)} comes to {r.randint(200, 9_000)} euros and is due on {_date(r)}."
        ),
        "How much is invoice {}?",
    ),
    Kind(
        "Parcel",
        lambda n, r: f"Parcel {n} left the warehouse on {_date(r)} and goes to {r.choice(CITIES)}.",
        "Where does parcel {} go?",
    ),
    Kind(
        "Support ticket",
        lambda n, r: f"Ticket {n} was opened by {r.choice(PEOPLE)}: {r.choice(FAULTS)}.",
        "Who opened ticket {}?",
    ),
    Kind(
        "Sensor",
        lambda n, r: f"Sensor {n} reported {r.randint(15, 90)} degrees on {_date(r)}, within its limits.",
        "What temperature did sensor {} report?",
    ),
    Kind(
        "Flight",
        lambda n, r: f"Flight {n} to {r.choice(CITIES)} departs from gate {r.randint(1, 60)} at {r.randint(5, 22)}:30.",
        "Which gate does flight {} depart from?",
    ),
    Kind(
        "Policy",
        lambda n, r: f"Policy {n} was renewed by {r.choice(PEOPLE)} for {r.randint(100, 900)} euros a year.",
        "What does policy {} cost a year?",
    ),
)
ROLES: Final = (
    Kind("Rooms", lambda n, r: f"Room {n} is reserved for {r.choice(PEOPLE)} on {_date(r)}.", "Who has room {}?"),
    Kind(
        "Orders", lambda n, r: f"Order {n} was shipped to {r.choice(CITIES)} on {_date(r)}.", "Where did order {} go?"
    ),
    Kind("Tickets", lambda n, r: f"Ticket {n}: {r.choice(FAULTS)}.", "What is ticket {} about?"),
    Kind("Buses", lambda n, r: f"Bus {n} runs to {r.choice(CITIES)} every hour.", "Where does bus {} run to?"),
    Kind("Lockers", lambda n, r: f"Locker {n} holds the keys of {r.choice(PEOPLE)}.", "Whose keys are in locker {}?"),
    Kind(
        "Lessons", lambda n, r: f"Lesson {n} is taught by {r.choice(PEOPLE)} in {_month(r)}.", "Who teaches lesson {}?"
    ),
)
SWAPPED: Final = (
    (
        "Plant",
        "Pump {} fills tank {} through line {} since",
        ("Which tank does pump {} fill?", "Which pump fills tank {}?", "Which pump uses line {}?"),
    ),
    (
        "Billing",
        "Order {} was billed with invoice {} to account {} on",
        ("When was order {} billed?", "Which order was billed with invoice {}?", "Which order went to account {}?"),
    ),
    (
        "Depot",
        "Truck {} waits at dock {} for load {} since",
        ("Where does truck {} wait?", "Which truck waits at dock {}?", "Which truck is waiting for load {}?"),
    ),
)
SPELLINGS: Final = (
    ("Errors", "ERR-{} means that {}.", "What does error {} mean?", (1000, 9000)),
    ("Errors", "Error -{} means that {}.", "What is ERR-{}?", (1000, 9000)),
    ("Faults", "The display shows E-{} when {}.", "When does the display show E{}?", (100, 900)),
    ("Faults", "Code F{} tells that {}.", "What does code F-{} tell?", (100, 900)),
    ("Hosts", "On node{} {}.", "What is wrong on node {}?", (10, 99)),
)


def families(seed: int = SEED, *, rows: int = ROWS, pages: int = PAGES) -> list[Family]:
    """The four families, `rows` of each kind of sentence; equal arguments give equal texts."""
    return [
        _family("numbers", _numbers(random.Random(seed), rows)),
        _family("roles", _roles(random.Random(seed), rows)),
        _family("spellings", _spellings(random.Random(seed), rows)),
        _family("pages", _pages(random.Random(seed), pages)),
    ]


Row: TypeAlias = tuple[str, str, Sequence[str]]
"""Title, content, and the questions that it answers."""


def _family(name: str, rows: Iterable[Row]) -> Family:
    texts: list[Text] = []
    asked: list[Question] = []
    for index, (title, content, questions) in enumerate(rows):
        texts.append(Text(f"{name}-{index}", title, content))
        asked += [Question(question, frozenset({texts[-1].id})) for question in questions]
    return Family(name, texts, asked)


def _numbers(rng: random.Random, rows: int) -> Iterator[Row]:
    for kind in NUMBERED:
        first = rng.randint(1_000, 9_000)
        for number in rng.sample(range(first, first + 2 * rows), rows):
            yield kind.title, kind.text(str(number), rng), [kind.question.format(number)]


def _roles(rng: random.Random, rows: int) -> Iterator[Row]:
    for number in rng.sample(range(100, 999), rows // 2):
        for kind in ROLES:
            yield kind.title, kind.text(str(number), rng), [kind.question.format(number)]
    for title, text, questions in SWAPPED:
        numbers = rng.sample(range(2, 60), rows)
        for index in range(rows):
            own = [numbers[(index + step) % rows] for step in range(len(questions))]
            asked = [question.format(number) for question, number in zip(questions, own, strict=True)]
            yield title, f"{text.format(*own)} {_date(rng)}.", asked


def _spellings(rng: random.Random, rows: int) -> Iterator[Row]:
    for title, text, question, bounds in SPELLINGS:
        causes = rng.sample(CAUSES, rows)
        for number, cause in zip(rng.sample(range(*bounds), rows), causes, strict=True):
            yield title, text.format(number, cause), [question.format(number)]
    for minor in range(rows):
        version = f"{rng.randint(1, 9)}.{minor}.{rng.randint(0, 9)}"
        yield "Releases", f"v{version} was released on {_date(rng)}.", [f"When was {version} released?"]


def _pages(rng: random.Random, pages: int) -> Iterator[Row]:
    for unit in range(1, pages + 1):
        text = (
            f"The blue valve of unit {unit} opens at {rng.randint(11, 60)} bar. It is checked every "
            f"{rng.randint(2, 12)} months by {rng.choice(PEOPLE)}."
        )
        yield "Plant manual", text, [f"Which pressure for the blue valve of unit {unit}?"]


def _date(rng: random.Random) -> str:
    return f"{rng.randint(1, 28)} {_month(rng)}"


def _month(rng: random.Random) -> str:
    return rng.choice(MONTHS)
