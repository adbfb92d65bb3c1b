"""Which language a text is taken for, by its script and its function words (contract 11.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.domain.text_analysis.detection import detect
from memd.domain.text_analysis.language import Language
from memd.domain.text_analysis.stop_words import STOP_WORDS
from memd.domain.text_analysis.tokens import tokens

SENTENCES = {
    "arabic": "تقع المدينة القديمة على ضفاف النهر، وقد بناها التجار في القرن الثاني عشر.",
    "armenian": "Քաղաքը գտնվում է գետի ափին և ունի շատ հին կամուրջներ։",
    "basque": "Hiria ibaiaren ertzean dago eta zubi zahar asko ditu, baina ez du portu handirik.",
    "burmese": "ဤမြို့သည် မြစ်ကမ်းဘေးတွင် တည်ရှိသည်။",
    "catalan": "La ciutat és a la vora del riu i té molts ponts antics, però no té cap port.",
    "chinese": "这座城市位于河岸，有许多古老的桥梁。",
    "danish": "Byen ligger ved floden, og der er mange gamle broer, men den har ikke nogen havn.",
    "dutch": "De stad ligt aan de rivier en heeft veel oude bruggen, maar er is geen haven.",
    "english": "The city lies on the bank of the river and has many old bridges.",
    "estonian": "Linn asub jõe kaldal ja seal on palju vanu sildu, aga sadamat ei ole.",
    "finnish": "Kaupunki on joen rannalla ja siinä on monta vanhaa siltaa, mutta satamaa ei ole.",
    "french": "La ville se trouve au bord de la rivière et elle a beaucoup de vieux ponts.",
    "german": "Die Stadt liegt am Ufer des Flusses und hat viele alte Brücken.",
    "greek": "Η πόλη βρίσκεται στην όχθη του ποταμού και έχει πολλές παλιές γέφυρες.",
    "hindi": "यह शहर नदी के किनारे बसा है और इसमें कई पुराने पुल हैं।",
    "hungarian": "A város a folyó partján fekszik, és sok régi híd van benne, de kikötő nincs.",
    "indonesian": "Kota ini terletak di tepi sungai dan memiliki banyak jembatan tua yang indah.",
    "irish": "Tá an chathair ar bhruach na habhann agus tá go leor seandroichead ann.",
    "italian": "La città si trova sulla riva del fiume e ha molti ponti antichi.",
    "japanese": "この街は川のほとりにあり、古い橋がたくさんあります。",
    "khmer": "ទីក្រុងនេះស្ថិតនៅមាត់ទន្លេ",
    "korean": "이 도시는 강가에 있으며 오래된 다리가 많다.",
    "lao": "ເມືອງນີ້ຕັ້ງຢູ່ແຄມແມ່ນ້ຳ",
    "lithuanian": "Miestas yra prie upės ir jame yra daug senų tiltų, bet uosto nėra.",
    "nepali": "यो सहर नदीको किनारमा छ र यसमा धेरै पुराना पुलहरू छन्।",
    "norwegian": "Byen ligger ved elva, og det er mange gamle bruer der, men ikke noen havn.",
    "portuguese": "A cidade fica na margem do rio e tem muitas pontes antigas, mas não há porto.",
    "romanian": "Orașul se află pe malul râului și are multe poduri vechi, dar nu are port.",
    "russian": "Город стоит на берегу реки, и в нём много старых мостов.",
    "serbian": "Град који лежи на обали реке има много старих мостова, али није лука.",
    "spanish": "La ciudad está a la orilla del río y tiene muchos puentes antiguos.",
    "swedish": "Staden ligger vid floden och det finns många gamla broar, men ingen hamn.",
    "tamil": "இந்த நகரம் ஆற்றின் கரையில் உள்ளது.",
    "thai": "เมืองนี้ตั้งอยู่ริมแม่น้ำ",
    "turkish": "Şehir nehrin kıyısında yer alır ve çok eski köprüleri vardır, ama limanı yok.",
    "yiddish": "די שטאָט ליגט בײַם טײַך און האָט אַ סך אַלטע בריקן, אָבער נישט קיין פּאָרט.",
}


def language_of(text, default=Language.ENGLISH, known=()):
    return detect(tokens(text), default, frozenset(known))


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize("name", SENTENCES)
def test_a_sentence_tells_its_language(name):
    assert language_of(SENTENCES[name]) == name


def test_every_language_but_the_unknown_has_a_sentence():
    assert set(SENTENCES) == set(Language) - {Language.SIMPLE}


@pytest.mark.parametrize("default", [Language.GERMAN, Language.SIMPLE])
@pytest.mark.parametrize("name", SENTENCES)
def test_whatever_the_default_is(name, default):
    assert language_of(SENTENCES[name], default) == name


@pytest.mark.parametrize(
    "title",
    [
        "Die Hard in Java",
        "El Paso office",
        "Der Spiegel interview",
        "Zoë in Zürich",
        "Café Müller review",
        "Postgres 18 upgrade",
        "Meeting notes",
        "La La Land",
        "Kubernetes Docker Helm Postgres Redis Grafana Loki Tempo Mimir Prometheus Thanos",
        "ERR-4040",
        "Bob's tea",
        "Des Moines trip",
        "",
        "12 34 56",
    ],
)
def test_a_short_english_title_stays_english(title):
    assert language_of(title) is Language.ENGLISH


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wo ist der Schlüssel?", "german"),
        ("¿Dónde está la llave?", "spanish"),
        ("Où est la clé ?", "french"),
        ("Onde está a chave?", "portuguese"),
        ("Dov'è la chiave della porta?", "italian"),
        ("где ключ", "russian"),
        ("घर की चाबी कहाँ है?", "hindi"),
        ("أين مفتاح البيت؟", "arabic"),
        ("Note A: Die Lieferung der Blumen kam am Montag.", "german"),
    ],
)
def test_a_short_question_tells_its_language(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Місто стоїть на березі річки, і в ньому багато старих мостів.",  # Ukrainian
        "شهر در کنار رودخانه است و پل‌های قدیمی زیادی دارد.",  # Persian
        "Miasto leży nad rzeką; są tam liczne stare mosty, jednak żadnego portu już tutaj nie będzie.",  # Polish
        "Thành phố nằm bên bờ sông với nhiều cây cầu cổ, nhưng không có cảng nào.",  # Vietnamese
        "העיר שוכנת על גדת הנהר ויש בה גשרים עתיקים רבים.",  # Hebrew
        "ქალაქი მდინარის ნაპირზე მდებარეობს და ბევრი ძველი ხიდი აქვს.",  # Georgian
    ],
)
def test_a_language_without_a_stemmer_is_simple(text):
    assert language_of(text) is Language.SIMPLE


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir benutzen Postgres 18 und pgvector für die Suche in allen Kanälen.", "german"),
        ("使用 Postgres 18 的部署", "chinese"),
        ("Docker容器怎么重启", "chinese"),
        ("2012年的风暴叫什么名字?", "chinese"),
        ("Redisサーバーの再起動", "japanese"),
        ("API 문서는 어디에 있습니까?", "korean"),
        ("Set the environment variable PGDATA, then run: pg_ctl start. The word „Größe“ means size.", "english"),
        ("Мы используем PostgreSQL и pgvector", "russian"),
    ],
)
def test_a_mixed_text_is_of_the_language_of_its_most_words(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize("question", ["Was hat Anna gekauft?", "Was ist Lack?", "Was sind Kladen?"])
def test_a_known_language_needs_one_function_word_more_than_the_default(question: str) -> None:
    """`was` is a function word of both languages."""
    assert language_of(question) is Language.ENGLISH
    assert language_of(question, known=[Language.ENGLISH, Language.GERMAN]) is Language.GERMAN


@pytest.mark.parametrize("question", ["Was Ana in Rome?", "Who was in Die Hard?", "What is the hat size of Ana?"])
def test_an_english_question_stays_english_among_german_rows(question: str) -> None:
    assert language_of(question, known=[Language.ENGLISH, Language.GERMAN]) is Language.ENGLISH


def test_among_known_languages_one_function_word_tells():
    assert language_of("Wohnung der Mutter") is Language.ENGLISH
    assert language_of("Wohnung der Mutter", known=[Language.GERMAN]) is Language.GERMAN
    assert language_of("the Wohnung der Mutter", known=[Language.GERMAN]) is Language.ENGLISH


@pytest.mark.parametrize("language", list(STOP_WORDS))
def test_function_words_are_tokens_of_their_own(language):
    assert [word for word in STOP_WORDS[language] if tokens(word) != [word] and "'" not in word] == []


@given(st.text(), st.sampled_from(Language))
def test_any_text_has_a_language(text, default):
    assert language_of(text, default) in Language
