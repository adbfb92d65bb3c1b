"""What a user pastes, quotes or makes up is not taken for what the user says (contract 11.6)."""

import pytest

from memd.domain.extraction.own_words.messages import own_words
from memd.domain.types import Category, MessageRole
from tests.domain.extraction.test_user_statements import read

OWN = (
    "Some things about me:\n- I live in Graz\n- I'm vegan",
    "Please remember this:\nI live in Oslo",
    "Here are a few notes about me:\n- I live in Graz\n- I'm vegan",
    "I wrote a few notes on my setup:\nI use an M3 MacBook.",
    "Answer in short sentences please: I have ADHD",
    "Explain in simple terms: I'm a nurse and I live in Rome",
    "Check this out: I got a new job at Adidas!",
    "Hi!\n\nI live in Oslo and I need a recipe.\n\nThanks\nLena",
    "Hi Claude,\nI moved to Vienna last week.\n\nBest,\nLena",
    'My motto is "we never give up, we go on"',
    'I told her: "I am allergic to nuts"',
    "Here's my schedule:\n\nMonday I work from home.\nTuesday I'm in the office.",
    "I got a message from my landlord.\n\nWe have to move out by June 30.",
    "Explain it to me in simple terms.\n\nI'm a nurse, so medical words are fine.",
    "Fix the tests.\n\nWe use pytest and uv.",
    "Answer in German.\n\nI live in Bern.",
    "name: Bob\ncity: Oslo\n\nI work at Equinor.",
    'I\'m reading "The Three Body Problem" and I love it',
    "About the project: we use Postgres 16.\n\nMy role is backend developer.",
    "My name is Ada. I read this article about sleep and now I go to bed at 10.",
    "My sister wrote me a letter. She is getting married in June.",
    "I imagine you know that already, but I live in Rome.",
    "I play the violin and my brother acts in a theater.",
    "Quick update:\n\nI got the job at Siemens!",
    "I'm a teacher, here's the thing: I hate grading.",
    "Can you check this restaurant? I'm allergic to shellfish.",
    "I need help with my resume. I worked at Siemens for 5 years and I live in Bonn.",
    "Make a plan for my week. I work Monday to Thursday and I have yoga on Tuesdays.",
    "Write me a bio: I'm a baker from Lyon and I have two kids.",
    "Write an email to my boss that I'm sick today. My boss is called Petra.",
    "Explain this to me like I'm five. By the way, my daughter Mia turned five yesterday.",
    "Please answer in short sentences: I have dyslexia.",
    "Draft a message for my landlord. I live at Ringstraße 12 in Graz.",
    'My partner said "we should move to Lisbon" and I agree. We\'re moving in May.',
    "My doctor told me that I have high blood pressure.",
    "Can you review my training plan?\n\nI run on Mondays and Fridays.\nI swim on Sundays.",
    "Here are some facts about me:\n\nI'm 34, I live in Ghent and I play the cello.",
    "Act as a travel agent. I want to go to Japan in April.",
    "You are an expert chef. I'm vegan and I hate cilantro.",
    "Imagine my surprise: I got the job at Bosch!",
    "Let's play a game. My name is Jonas.",
    "Between us there are 3 developers. We use Rust.",
    "Keep it short please. I'm on my phone and I live in Oslo.",
    "Hi there,\n\nI moved to Malmö last month and need a dentist.\n\nThanks,\nErik",
    "Dear Claude,\nI have a new job at IKEA.\nBest,\nErik",
    "Hey team bot, my new phone number is 555 0199 and I live in Turku.",
    "Question: what wine goes with fish? I don't drink red wine.",
    "Note: my passport expires on 3 March 2027.",
    "Me: 34, nurse. My husband: 36, teacher. We have three cats.",
    'Mum: "I am coming on Friday". So my mother visits us on Friday.',
    'I told my boss "I want to work 4 days" and she agreed. I work 4 days from June.',
    "What does this mean for me? I'm self-employed in Austria.",
    "my translation of the book comes out in May",
    "i wrote a poem for my wife Ines, she loved it",
    "I got an email from Klarna that my account is closed. I don't use Klarna anymore.",
    "Fix my code please. I'm using Python 3.8 because our server is old.",
    "Summarize my week: I ran 3 times, I finished the thesis chapter, and I met Olga.",
    "Our policy says: never deploy on Fridays.",
    "I write poems and my dog Bo listens.",
    "Tell me a story about dragons. My daughter Mia is 5.",
    "Let's play a game. I'm Jonas and I live in Ulm.",
    "The docs say we must use UTC. We store all times in UTC.",
    "She asked me to marry her and I said yes! The wedding is on 5 June.",
    "Tom wrote me that he is moving to Oslo in May.",
    "please check my grammar from now on, I'm not a native speaker",
    "i read the contract. my notice period is three months",
    "Answer me in German please, I'm practicing for my B2 exam in March.",
)
OF_OTHERS = (
    "Proofread:\n\nI am writing to apply for the position. I live in Madrid.",
    "what do you think of this tweet?\n\nI just quit my job and moved to Bali.",
    "Fasse diese E-Mail zusammen:\n\nHallo zusammen,\nich bin ab 3. Mai in Urlaub. Meine Vertretung ist Jana.\nViele Grüße\nTom",
    "Translate into French: I have two sons. My wife works at a bank.",
    'Paraphrase this paragraph\n\n"We moved to Lyon in 2019. I never regretted it."',
    "The readme says:\n\nWe use semantic versioning. Never edit the lock file by hand.",
    "Bob: I live in Oslo\nEve: I hate fish\nBob: My car is red\n\nwho hates fish?",
    "my boss wrote:\n\nI want you in the office every Monday. I am on vacation until 4 May.\n\nhow do i answer him?",
    "Dear Anna,\n\nI moved to Paris. My new number is 555 1234.\n\nBest wishes,\nPaul",
    "Continue this story:\n\nI woke up in Cairo. My brother Ali was gone.",
    "Let's role-play. Pretend you're a recruiter. I am a pilot and I live in Dubai.",
    'A customer complains: "I ordered a lamp on 3 May and I never got it." Draft an apology.',
    "Here is the transcript:\n\nSpeaker 1: I work for Bosch\nSpeaker 2: I live in Ulm\nSpeaker 1: we decided to merge",
    "Grade this essay:\n\nMy favourite food is pizza. I live with my grandmother.",
    "INFO [main] We decided to use port 8080\nERROR app.db: I need a restart",
    "Can you reply to this message for me?\n\nHey, I'm allergic to nuts, so please no cake. I arrive on Friday at 6.",
    "Übersetze ins Englische: Ich wohne in Köln. Meine Frau ist Ärztin.",
    "What does this clause mean?\n\nWe charge 50 euros per month. The tenant must never sublet.",
    "Check the grammar of this text: I has two cat. I lives in Rome.",
    'He texted me: "I\'m moving to Berlin in May, my new job is at SAP". Should I be sad?',
    "Summarize this email:\n\nHi team,\nI moved to the Berlin office last week. My new phone number is 030 555 1234. We decided to postpone the launch to May 12. Please never share the roadmap with customers.\nBest, Klaus",
    'can you translate this to german: "i live in paris and my wife is a doctor" ',
    "here's the job ad, does it fit me?\n\nWe are looking for a senior engineer. You have 5 years of experience with Go. We offer 30 days of vacation. Our office is in Munich.",
    "I got this message from my landlord:\n\nDear tenant, we will renovate the bathroom from 3 May to 10 May. The rent goes up to 980 euros on June 1.\n\nwhat are my rights?",
    'write a short story about a man who says: "I am allergic to cats and I live in Rome".',
    "pretend you are my boss Karl. I am a new employee and I hate mondays",
    "Review my cover letter:\n\nDear Ms. Braun,\nI am a marketing manager with 7 years of experience. I live in Hamburg and speak French fluently. I managed a team of 5 people at Otto.\nSincerely, Nina",
    "User: I live in Oslo\nBot: Nice!\nUser: My cat is called Lux\n\n^ this is a chat log from our bot, why doesn't it remember the cat?",
    'the customer says: "I have ordered two lamps and I want my money back". how should i answer',
    'def test_user():\n    # my name is Bob and I live in Paris\n    assert user.name == "Bob"\n\nwhy does this fail',
    "ERROR 2026-11-01 12:00 I was unable to connect to db my-db at 10.0.0.4. We decided to retry in 5s",
    "Fass mir das bitte zusammen:\n\nHallo zusammen, ich wohne jetzt in Berlin und meine neue Nummer ist 030 555. Ich bin Vegetarier.",
    "Korrigiere: Ich wohne in Köln und habe zwei Katze.",
    "Mein Vermieter schrieb:\n\nIch erhöhe die Miete zum 1. Juni auf 980 Euro. Ich bin bis 4. Mai im Urlaub.\n\nWas kann ich tun?",
    'Schreib eine Geschichte über einen Mann, der sagt: "Ich bin allergisch gegen Katzen und wohne in Rom".',
    "Stell dir vor, du bist mein Chef. Ich bin neu in der Firma und wohne in Ulm.",
    "Traduis en anglais : J'habite à Lyon et ma femme est médecin.",
    "Resume este correo:\n\nHola equipo, vivo en Madrid y mi número es 555 123. Soy vegetariano.\nSaludos,\nAna",
    "Liebe Frau Braun,\n\nich bin ab 3. Mai Projektleiter bei Siemens. Ich wohne in München.\n\nViele Grüße\nNina Klein",
    "Mon propriétaire m'a écrit :\n\nJ'habite à Paris et je veux vendre l'appartement en juin.\n\nQue dois-je répondre ?",
    "Este es el mensaje de mi jefe:\n\nVivo en Sevilla desde mayo y trabajo los lunes desde casa.\n\n¿Qué le contesto?",
    "翻译成英文：我住在北京，我的妻子是医生。",
    "Переведи на английский: Я живу в Москве. Моя жена врач.",
    "rewrite in formal tone: hey boss i'm sick today, i live far away and my car broke",
    "what would you answer to this?\n\nI'm Karl from Acme and I'd like to buy 300 licenses. My budget is 10k.",
    "make this shorter\n\nI am a passionate engineer with 10 years of experience. I live in Zurich and love hiking.",
    "Bug report from a user:\n\nI use Firefox on Windows 10. My account is bob@x.com. I can't log in.",
    'here is a review of our app: "I love it, I use it every day with my kids"',
    'he wrote "I will quit in May". what now?',
    "turn this into a haiku: I moved to Kyoto and my heart sings",
    "[12:01] Anna: I'm vegan\n[12:02] Ben: I live in Bern\n[12:03] Anna: me too",
    "From: karl@acme.com\nTo: me\nSubject: Offer\n\nI'm on vacation until 3 May. My colleague Tina takes over.",
    "Let's play a game: you are a detective, I am the suspect, and I live in Chicago.",
    "pretend ur my gf and im ur bf",
    "tell me a story where im a knight and my horse is called bob",
    "Write a diary entry in the first person: I wake up in a prison and my name is Tom.",
    "Here's a review I found: I bought this vacuum in June and my floors have never been cleaner. Is it fake?",
    "Lyrics: I'm on the highway to hell. What is the song about?",
    "email from my bank: your card expires in May. We moved to Bahnhofstrasse 1.",
)

NOT_TO_KEEP = (
    "don't save this: I have diabetes",
    "off the record, I'm looking for a new job",
    "please don't store my health data. I have asthma.",
    "Not for your memory: I'm pregnant.",
    "Keep this between us: we will acquire Foo Inc in June.",
    "Don't remember this, but I hate my boss.",
    "forget that I live in Graz",
    "delete what you know about my wife Clara",
    "Merk dir das nicht. Ich suche einen neuen Job bei Siemens.",
    "No guardes esto. Tengo diabetes.",
    "N'enregistre pas ça. Je suis enceinte.",
    "Non salvare questo. Sono incinta.",
    "Don't save this to memory: I am divorced.",
    "Just between us, I earn 90k.",
    "Não guarde isso. Tenho asma.",
    "I'm pregnant. Please forget that.",
    "I earn 90k a year. Forget what I just said",
    "Ich suche einen neuen Job bei Siemens. Vergiss das bitte wieder.",
    "Erinnere dich nicht daran: ich wohne in Köln.",
)
NO_WISH = (
    ("Don't log this at info level. Our default log level is warning.", "default log level is warning"),
    ("Do not keep these old flags. We use LaunchDarkly.", "uses LaunchDarkly"),
    ("Keep this private method. We use Java 21.", "uses Java 21"),
    ("I don't remember it exactly. My first job was at IBM in 2010.", "IBM"),
    ("We don't log that for privacy reasons. Our data lives in Frankfurt.", "Frankfurt"),
    ("The contract between us and the bank is with Deutsche Bank.", "Deutsche Bank"),
    ("Speichere das nicht im Repo. Wir nutzen GitLab.", "GitLab"),
    ("No guardes esto en la raíz. Usamos pnpm y TypeScript.", "pnpm"),
    ("Forget it, that was the old plan. I moved to Graz in May.", "moved to Graz"),
    ("Off the record player I bought yesterday came a burning smell. My amp is a Marantz.", "Marantz"),
    ("Vergiss das. Ich wohne jetzt in Köln.", "Köln"),
    ("Ne garde pas les commentaires dans le code. On utilise ESLint.", "ESLint"),
)


@pytest.mark.parametrize(("text", "stated"), NO_WISH)
def test_what_is_said_of_other_storing_and_secrets_is_no_wish_to_forget(text, stated):
    assert any(stated in one.content for one in read(text))


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ('My boss says "we don\'t use Slack"', []),
        ('My mum told me "I have asthma" yesterday.', []),
        (
            'Our CTO said "we\'ll never use MongoDB again", so we use Postgres.',
            ["The user uses Postgres (18 November 2026)."],
        ),
        ("My boss wrote: I quit and I live in Spain now", []),
        ("She told me: I moved to Rome.\nI live in Oslo.", ["The user lives in Oslo (18 November 2026)."]),
        ("Our manager told me: I can work from home.", ["The user can work from home (18 November 2026)."]),
        ("I told my boss: I am vegan.", ["The user is vegan (18 November 2026)."]),
        ('Tom asked "can I join your band?" I play drums.', ["The user plays drums (18 November 2026)."]),
    ],
)
def test_the_words_before_a_quotation_of_others_go_with_it(text, contents):
    assert [one.content for one in read(text)] == contents


@pytest.mark.parametrize("text", NOT_TO_KEEP)
def test_what_is_not_to_be_kept_is_left(text):
    assert read(text) == []


@pytest.mark.parametrize(
    "text", ["Never store it in the repository, use 1password.", "Never store secrets in the repo."]
)
def test_a_rule_about_storing_is_kept(text):
    assert [one.category for one in read(text)] == [Category.RULE]


@pytest.mark.parametrize("text", OWN)
def test_what_the_author_says_is_kept(text):
    assert read(text)


@pytest.mark.parametrize("text", OF_OTHERS)
def test_the_words_of_others_make_no_memory(text):
    assert read(text) == []


def test_a_question_after_a_pasted_text_is_the_authors():
    assert own_words("My boss wrote:\n\nI want you here on Monday.\n\nWhat do I answer?") == "What do I answer?"


def test_a_statement_beside_a_letter_is_kept():
    text = "I live in Ulm.\n\nDear Anna,\nI moved to Paris.\nBest,\nPaul"
    assert [one.content for one in read(text)] == ["The user lives in Ulm (18 November 2026)."]


def test_a_program_that_drafts_a_letter_decides_nothing():
    draft = (
        "Here's a draft of the email:\n\nDear Ms. Braun,\nwe decided to move the launch to May.\nBest regards,\nLena"
    )
    assert read(draft, role=MessageRole.ASSISTANT) == []


def test_what_a_program_found_after_its_steps_is_kept():
    found = read(
        "Let me check this file:\n\nThe root cause was a stale lockfile, CI uses pnpm 9.", role=MessageRole.ASSISTANT
    )
    assert [one.category for one in found] == [Category.LESSON]


def test_what_a_program_translates_is_not_its_own():
    text = "Here is the translation:\n\nWe decided to move the launch to May."
    assert read(text, role=MessageRole.ASSISTANT) == []
