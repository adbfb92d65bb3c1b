"""The words that only make a query a question: `many` in "how many", `called` in "what is it called?", `сколько`, `什么`.

Rows are indexed with them, queries leave them out: few texts hold them, so as rare words they would outweigh what is
asked about. In scripts that do not separate words, the pairs of characters that touch such a word are left out.
"""

import re
from typing import Final

from memd.domain.text_analysis.folding import fold
from memd.domain.text_analysis.language import Language

_LISTS: Final = {
    Language.ARABIC: """
أية أيهما بم بماذا مم مما عم عما لمن ممن علام إلام فيم ماهو ماهي ماذا كما اللذان اللتان اللذين اللتين اللاتي اللواتي
""",
    Language.DANISH: "mange meget hvornår hvorledes",
    Language.DUTCH: "hoeveel welk waarin waarmee waarvan waarop",
    Language.ENGLISH: "many much",
    Language.FINNISH: "moni monta monia paljonko montako",
    Language.FRENCH: "lequel laquelle lesquels lesquelles auquel auxquels duquel desquels desquelles",
    Language.GERMAN: "viele vielen vieler wieviele welch womit wodurch worin woran worauf wofür worüber wozu",
    Language.HINDI: """
कौनसे किन्होंने किससे किसपर किसलिए किनसे किनमें किनका किनकी कितनों जिन जिनके जिनकी जिनका जिनमें जिन्हें जिन्होंने जिससे
जिसका थीं हूँ हूं होगा होगी होंगे सकता सकती सकते चाहिए वाले
""",
    Language.INDONESIAN: "banyak manakah apakah siapakah dimana kemana",
    Language.ITALIAN: "qual quali",
    Language.NORWEGIAN: "mange mye hvorfor hvordan hvilken hvilket hvilke",
    Language.PORTUGUESE: "quanto quanta quantos quantas qual quais onde quem",
    Language.RUSSIAN: """
какой какая какое какие какого какому каким каком какую какою каких какими каков какова каково каковы
который которая которое которые которого которому которым котором которую которою которых которыми
такой такая такое такие такого такому таким таком такую такою таких такими таков такова таково таковы
этот эта это эти этого этому этим этом эту этою этих этими тот та то те того тому тем том ту той тою тех теми
кто кого кому кем ком что чего чему чем чём чей чья чьё чьи чьего чьему чьим чьём чью чьей чьих чьими
сколько скольких скольким сколькими почему зачем отчего где куда откуда когда как насколько
себя себе собой собою свой своя своё свои своего своему своим своём свою своей своих своими
мой моя моё мои моего моему моим моём мою моей моих моими наш наша наше наши нашего нашему нашим нашем нашу нашей наших
нашими ваш ваша ваше ваши вашего вашему вашим вашем вашу вашей ваших вашими
весь вся всё все всего всему всем всём всю всей всеми всех сам сама само сами самого самому самим самом саму самой самих
быть был была было были есть будет будут буду будем является являются являлся являлась являлось являлись
""",
    Language.SPANISH: "cuánta cuánto cuántas cuántos cuyo cuya cuyos cuyas cuáles adónde",
    Language.SWEDISH: "många hurdan vilka",
}
_QUESTION_WORDS: Final = {language: frozenset(map(fold, words.split())) for language, words in _LISTS.items()}

_UNSEGMENTED: Final = {
    Language.CHINESE: re.compile(
        "是?(?:[什甚][么麼](?:时候|時候)?|多少|多久|哪(?!吒)[一个個里裡些种種位儿兒年天]?|[谁誰]|[为為]什[么麼]|[为為]何|如何"
        "|何[时時地处處人种種年]|怎[么麼][样樣]?|怎[样樣]|[几幾][个個年次种種位天点點岁歲]|是否|(?:吗|嗎|呢)$)"
    ),
    Language.JAPANESE: re.compile(
        "(?<!幾)何[時年月日人個歳度回色語件]?|誰|いつ(?!も)|どこ|なぜ|どれ|どんな|どのよう|いくつ|いくら"
        "|(?:です|ます|でした|ました|でしょう)?か$"
    ),
    Language.KOREAN: re.compile("^(?:무엇|무슨|누구|누가|언제|어디|어떻게|어떤|어느|얼마).*|^왜$|몇"),
    Language.THAI: re.compile("อะไร|ใคร|เมื่อไร|เมื่อไหร่|เมื่อใด|ที่ไหน|ทำไม|อย่างไร|ยังไง|เท่าไร|เท่าไหร่|หรือไม่"),
}

_IDIOMS: Final = {
    Language.DUTCH: r"^\s*hoe (heet|heten)\b",
    Language.ENGLISH: r"^\s*(?:and )?(?:what|how)(?:['’]s| is| are| was| were)\b(?:.{,200}\b(called|named)\W*$| (?:the )?(names?) of\b)|\bdo(?:ing)? for a (living)\b",
    Language.FRENCH: r"^\s*comment s['’](appelle|appellent)\b",
    Language.GERMAN: r"^\s*(?:und )?wie (heißt|heisst|heißen|heissen|hieß|hiess|hießen|hiessen)\b|^\s*wie (?:ist|war|lautet) der (name) (?:von|des|der|unser)",
    Language.ITALIAN: r"^\s*come si (chiama|chiamano)\b",
    Language.PORTUGUESE: r"^\s*como se (chama|chamam)\b",
    Language.SPANISH: r"^\s*¿?c[oó]mo se (llama|llaman)\b",
}
_ASKING_IDIOM: Final = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _IDIOMS.items()}
"""Questions for a name or a job. The captured word need not occur in the text that answers: "Our dog is Rex"."""


def asking_idiom(language: Language, query: str) -> int | None:
    """The start of the word that only asks: `called` in "what is our dog called?", `living` in "what does Ana do for a living?"."""
    match = _ASKING_IDIOM[language].search(query) if language in _ASKING_IDIOM else None
    return None if match is None or match.lastindex is None else match.start(match.lastindex)


def asks(language: Language, word: str) -> bool:
    """Whether a normalised word only makes a query of this language a question."""
    return fold(word) in _QUESTION_WORDS.get(language, ())


def asking_characters(language: Language, run: str) -> frozenset[int]:
    """The places in a run of an unsegmented script where a question word of this language stands."""
    pattern = _UNSEGMENTED.get(language)
    if pattern is None:
        return frozenset()
    return frozenset(index for match in pattern.finditer(run) for index in range(*match.span()))
