"""A query finds what is indexed, whatever the spelling and the language of either (contract 11.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text.word_forms import word_forms
from memd.domain.text_analysis.analysis import BETWEEN_FIELDS, analyse
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.query import MAX_FORMS, MAX_POSITIONS, read_query

ENGLISH = Language.ENGLISH


def words(query, *of_rows, default=ENGLISH):
    return read_query(query, default, of_rows)


def share(query, text, *more, default=ENGLISH):
    """The share of the query's words that a row of the text holds, among rows of the languages of all texts."""
    row, *others = [analyse([each], [], default) for each in (text, *more)]
    read = words(query, *{each.language for each in (row, *others)}, default=default)
    return sum(any(form in row.lexemes for form in word.forms) for word in read) / len(read)


@pytest.mark.rule("11.2 words")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("4040", "ERR-4040"),
        ("-4040", "4040"),
        ("4040", "code -4040"),
        ("ERR-4040", "err4040"),
        ("v3.0.1", "version 3.0.1"),
        ("3.0.1", "tag v3.0.1"),
        ("node14", "node 14"),
        ("node 14", "node14"),
        ("E-318", "room E318"),
        ("E318", "room E-318"),
        ("1,500", "1500 chairs"),
        ("1500", "1.500 Stühle"),
        ("May 8th", "8 May 2023"),
    ],
)
def test_a_number_is_found_in_its_other_spellings(query, text):
    assert share(query, text) == 1


@pytest.mark.parametrize(
    ("query", "text"), [("unit 12", "unit 17"), ("1.5 litres", "15 litres"), ("1.5", "1,500"), ("E318", "F318")]
)
def test_another_number_is_not_found(query, text):
    assert share(query, text) < 1


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("cafe", "Le café est fermé le lundi."),
        ("café", "The cafe is closed."),
        ("café", "the café"),
        ("resume", "Her résumé is long"),
        ("informacao", "A informação não está na página."),
        ("informação", "informacao sobre a pagina"),
        ("Strasse", "Die Straße ist nass und die Wege sind es auch."),
        ("Straße", "Strasse"),
        ("елка", "Это ёлка, которая стоит у дома."),
        ("ёлка", "это не елка"),
        ("بالانتخابات", "أُجريت انتخابات البلدية في شهر مارس"),
        ("سيارات", "السيارة الزرقاء تقف عند المدخل"),
        ("كتاب", "والكتاب على الرف"),
        ("لغة", "يتكلم ثلاث لغات"),
        ("हिन्दी की परीक्षाएँ", "हिंदी परीक्षा सोमवार को होगी"),
        ("संबंध", "दोनों परिवारों में पुराना सम्बन्ध है"),
        ("¿Quién ganó las elecciones?", "Ganaron la elección los vecinos del puerto."),
        ("¿Cuándo nacieron los gemelos?", "El gemelo mayor nació en abril y su hermano también."),
        ("كتاب", "قرأت الكِتَاب في المدرسة مع أصدقائي"),
        ("احمد", "أحمد هو المدير في هذه الشركة"),
        ("किताबें", "यह किताब मेरे भाई की है"),
        ("Häuser", "Das Haus ist alt und die Tür ist offen."),
        ("мосты", "Под мостом на берегу была лодка, и в ней никого не было."),
        ("puentes", "El puente de la ciudad es muy antiguo."),
        ("went", "I go home"),
        ("paintings", "a painting"),
        ("防守", "黑豹队的防守"),
        ("タワー", "東京タワーの高さ"),
        ("กรุงเทพ", "ฉันอยู่กรุงเทพมหานคร"),
        ("ISTANBUL", "İstanbul'da bir ev ve çok güzel bir bahçe var."),
    ],
)
def test_a_word_is_found_however_it_is_spelled(query, text):
    assert share(query, text) == 1


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Who met Müller?", "Der Vertrag mit Müller ist noch nicht unterschrieben."),
        ("Postgres 18", "Die Datenbank ist Postgres 18 und sie läuft auf dem Server."),
        ("Rechnungen", "Die Rechnung für den Server ist da und sie ist zu hoch."),
        ("Postgres 18", "我们使用Postgres18的数据库"),
        ("pgvector", "Мы используем pgvector для поиска."),
    ],
)
def test_rows_of_another_language_are_found_by_names_numbers_and_their_own_stems(query, text):
    own = words(query, analyse([text], [], ENGLISH).language)[-1]
    assert any(form in analyse([text], [], ENGLISH).lexemes for form in own.forms)


@pytest.mark.parametrize("text", ["Müller", "wir haben die Häuser", "Größe", "boats"])
def test_rows_of_the_release_before_are_found_by_their_old_lexemes(text):
    old = {"Müller": "müller", "wir haben die Häuser": "häuser", "Größe": "größe", "boats": "boat"}[text]
    assert any(old in word.forms for word in words(text))


def test_a_query_word_keeps_its_positions_and_stop_words_theirs():
    read = words("The valve of the red valve, unit12")
    assert [(word.forms[0], word.positions) for word in read] == [
        ("valv", [2, 6]),
        ("red", [5]),
        ("unit", [7]),
        ("12", [8]),
    ]


@pytest.mark.parametrize(
    ("language", "query", "left"),
    [
        (Language.ENGLISH, "How many kayaks does Ann own, and how much rope?", "kayaks Ann own rope"),
        (Language.RUSSIAN, "Каких птиц и сколько видели на озере?", "птиц видели озере"),
        (Language.SPANISH, "¿Cuánta sal lleva la sopa del día?", "sal lleva sopa día"),
        (Language.GERMAN, "Wie viele Boote haben die Fischer?", "Boote Fischer"),
        (Language.ARABIC, "أية مدينة هي العاصمة", "مدينة العاصمة"),
        (Language.ENGLISH, "What's our dog called?", "dog"),
        (Language.ENGLISH, "What is the name of our dog?", "dog"),
        (Language.ENGLISH, "What does Ana do for a living?", "Ana"),
        (Language.GERMAN, "Wie heißt unser Hund?", "unser Hund"),
        (Language.SPANISH, "¿Cómo se llama el perro?", "perro"),
        (Language.FRENCH, "Comment s'appelle le chien ?", "chien"),
    ],
)
def test_words_that_only_ask_are_left_out_of_a_query(language, query, left):
    found = [word.forms[0] for word in words(query, default=language)]
    assert found == [word.forms[0] for word in words(left, default=language)]


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("Which function called this?", "call"),
        ("names of dogs", "name"),
        ("What is a called function?", "call"),
        ("What is the name of the user_name column?", "name"),
        ("What is the name of the domain name registrar?", "name"),
        ("What is there to do in the living room?", "live"),
    ],
)
def test_words_that_may_ask_for_a_name_are_kept_elsewhere(query, kept):
    assert kept in [word.forms[0] for word in words(query)]


@pytest.mark.parametrize("query", ["many", "How much?", "каким", "什么", "What is it called?"])
def test_a_query_of_nothing_but_words_that_ask_is_searched_for_them(query):
    assert len(words(query)) == 1


@pytest.mark.parametrize(
    ("query", "left_out"),
    [
        ("打印机为什么会卡纸吗？", {"机为", "为什", "什么", "么会", "纸吗"}),
        ("Git是什么工具", {"是什", "什么", "么工"}),
        ("誰が作った橋ですか？", {"誰が", "橋で", "です", "すか"}),
        ("수도는 어디입니까?", {"어디", "디입", "입니", "니까"}),
        ("เมืองหลวงอยู่ที่ไหน", {"ที่ไ", "ไห", "หน"}),
    ],
)
def test_pairs_of_characters_that_touch_a_question_word_are_left_out(query, left_out):
    found = {form for word in words(query) for form in word.forms}
    indexed = set(analyse([query], [], ENGLISH).lexemes)
    assert left_out <= indexed
    assert found < indexed - left_out | {""}
    assert found


def test_a_word_around_a_question_word_keeps_its_pairs():
    assert words("哪吒是谁")[0].forms == ("哪吒",)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Кто выиграл Суперкубок?", "Он стал чемпионом Суперкубка и получил кольцо."),
        ("оригиналы пленок", "На этой плёнке ничего не было видно."),
        ("что произошло", "Ошибка произошла, и её не исправили."),
        ("жизнь домохозяек", "Это была одна домохозяйка без мужа."),
        ("писем и окна", "Из этих окон было видно море."),
    ],
)
def test_russian_words_are_found_with_and_without_the_vowel_that_comes_and_goes(query, text):
    lexemes = analyse([text], [], ENGLISH).lexemes
    assert any(form in lexemes for word in words(query, Language.RUSSIAN) for form in word.forms)


def test_a_russian_city_is_not_proud():
    assert [word.forms[:1] for word in words("город", Language.RUSSIAN)] == [("город",)]
    assert "горд" not in words("город", Language.RUSSIAN)[0].forms


def test_irregular_forms_count_as_one_word_in_english_only():
    assert [word.forms for word in words("go boat went going")] == [word_forms("go"), ("boat",)]
    assert [word.forms for word in words("go went", default=Language.SIMPLE)] == [("go",), ("went",)]


@pytest.mark.parametrize("query", ["ещё", "еще", "الى", "إلى", "the", "für die"])
def test_stop_words_are_no_words_in_any_spelling(query):
    assert words(query, Language.GERMAN) == []


def test_a_word_that_rows_of_another_language_leave_out_is_common():
    assert [word.common for word in words("Die Hard", Language.ENGLISH, Language.DUTCH)] == [True, False]
    assert not any(word.common for word in words("Die Hard", Language.ENGLISH))


def test_the_forms_of_a_word_are_bounded():
    assert max(len(word.forms) for word in words("Präsidentschaftskandidaten größe", *Language)) <= MAX_FORMS


def test_a_long_query_is_read_up_to_a_bound():
    read = words(" ".join(f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}q" for n in range(5_000)))
    assert len(read) <= MAX_POSITIONS


def test_fields_do_not_touch():
    row = analyse(["Unit"], ["12"], ENGLISH)
    assert row.lexemes["12"][0] - row.lexemes["unit"][0] > BETWEEN_FIELDS


def test_labels_do_not_tell_the_language():
    assert analyse(["Notes"], ["die Rechnung ist von der Firma und sie ist hoch"], ENGLISH).language is ENGLISH


@pytest.mark.parametrize("text", ["café Größe", "1,500 e 8th", "ألمانيا", "東京タワー18"])
def test_all_forms_of_a_word_stand_at_one_position(text):
    row = analyse([text], [], ENGLISH)
    read = words(text, row.language)
    for word in read:
        assert {at for form in word.forms for at in row.lexemes.get(form, ())} == set(word.positions)


@given(st.text(max_size=200))
def test_every_text_is_found_by_itself(text):
    row = analyse([text], [], ENGLISH)
    for word in words(text, row.language):
        assert any(form in row.lexemes for form in word.forms)


def test_marks_without_a_letter_are_no_word() -> None:
    """Postgres takes no empty lexeme in a query."""
    assert read_query("\u0301" * 40, Language.ENGLISH) == []


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("لون السيارة", "لون سيارتي أحمر"),
        ("سيارتي", "اشتريت سيارة جديدة"),
        ("زوجة", "زوجتي اسمها ليلى"),
        ("حساسية", "حساسيتي من الفول"),
        ("صديق", "اشتريت هدية لصديقي"),
        ("مهندس", "أعمل كمهندس في شركة"),
        ("человек", "В зале были люди"),
        ("ребёнок", "Дети ходят в школу"),
        ("дочь", "День рождения дочери"),
        ("друг", "Друзья из Питера"),
        ("мать", "Адрес матери"),
        ("Anna", "Annas Adresse ist die Lindenstraße 5 in Kiel."),
        ("Mias Schule", "Mia geht in die Schule am Park."),
        ("Autos", "Ich habe das Auto in die Werkstatt gebracht."),
        ("Büro", "Die Büros sind am Freitag geschlossen."),
    ],
)
def test_a_noun_is_found_in_forms_that_the_stemmer_takes_for_other_words(query: str, text: str) -> None:
    assert share(query, text) == 1


@pytest.mark.parametrize(
    ("query", "text"),
    [("بي", "بيتي كبير"), ("ريم", "كريم صديقي"), ("сын", "сыновний долг"), ("Ei", "Wir essen gern ein Eis.")],
)
def test_a_part_of_another_word_is_not_found(query: str, text: str) -> None:
    assert share(query, text) < 1
