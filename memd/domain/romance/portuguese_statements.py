"""What Portuguese sentences state of their author, of people and of things: the forms and their words.

They read text without accents (`text.plain`), from its beginning, for `memd.domain.romance.portuguese`.
"""

import re
from typing import Final

from memd.domain.romance.forms import Statement
from memd.domain.romance.portuguese_facts import PORTUGUESE_WORDS
from memd.domain.text.alternatives import any_of, either
from memd.domain.types import Category

_MONTH: Final = any_of(PORTUGUESE_WORDS.months)
_WEEKDAY: Final = rf"(?:{any_of(PORTUGUESE_WORDS.weekdays.replace('-feira', ''))}s?(?:-feiras?)?)"
DAY: Final = any_of(
    rf"""
    \b\d{{1,2}}_de_{_MONTH}\b \bem_(?:{_MONTH}|(?:19|20)\d\d)\b
    \b\w+-feira\b \b(?:na|a|ate|no)_{_WEEKDAY}\b \bamanha\b \bproxim[oa]\b
    \bque_vem\b \bontem\b \bpassad[oa]\b \b\d{{1,2}}/\d{{1,2}}\b \bas_\d
    """
)
_COUNT: Final = r"(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|vari[oa]s|muit[oa]s|\d+)"
_PEOPLE: Final = any_of(
    """
    mae pai pais mamae papai avos? irma[os]?s? irmaos filh[oa]s? mulher esposa marido companheir[oa]
    namorad[oa] noiv[oa] prim[oa]s? ti[oa]s? net[oa]s? sogr[oa]s? cunhad[oa]s? sobrinh[oa]s? genro nora
    amig[oa]s? chefe chefa patrao patroa coleg[ao]s? vizinh[oa]s? medic[oa] doutora? dentista pediatra
    psicolog[oa] advogad[oa] senhori[oa] professora? contabilista contadora? treinadora? tutora? mentora?
    soci[oa]s? bebe gemeos? gemeas? padrinho madrinha afilhad[oa] cao caes cachorr[oa]s? cadela gat[oa]s?
    familia ex
    """
)
_MATTER: Final = any_of(
    r"""
    perguntas? duvidas? problemas? erros? ideias? listas? tabelas? textos? codigo arquivos? ficheiros? script
    funcao funcoes variave\w+ colunas? linhas? dados image(?:m|ns) frases? paragrafos? e-?mails?
    mensage(?:m|ns) redacao ensaio poema conto personage(?:m|ns) protagonista tarefas? exercicios? traducao
    prompt resumo rascunho titulo opcao opcoes sugestao sugestoes propostas? respostas? solucao momento
    minutos? pouco coisas? vontade impressao opiniao computador ecra tela programa app aplicacao terminal caso
    cabeca tipo
    """
)
_POSSESSED: Final = any_of(
    """
    anima(?:l|is) coelhos? passaros? tartarugas? cavalos? galinhas? carros? motos? bicicletas? carrinha barco
    casas? apartamentos? terreno horta jardim negocio lojas? empresas? restaurantes? bar blog canal podcast
    empregad[oa]s funcionari[oa]s clientes? alun[oa]s pacientes licenciatura mestrado doutorado doutoramento
    bolsa hipoteca emprestimo seguro piano guitarra violao anos
    """
)
_VERB: Final = any_of(
    """
    e sao (?:se_chama|chama-se|chamam-se) viv(?:e|em) mor(?:a|am) trabalh(?:a|am) estud(?:a|am) tem faz fazem
    nasceu morreu jog(?:a|am) fal(?:a|am) prefer(?:e|em) odei(?:a|am) ador(?:a|am) gost(?:a|am) com(?:e|em)
    beb(?:e|em) us(?:a|am) cust(?:a|am) comec(?:a|am) termin(?:a|am) acab(?:a|am) expir(?:a|am) venc(?:e|em)
    sai saem abr(?:e|em) fech(?:a|am) (?:se_muda|muda-se|se_casa|casa-se|casou) vai vao vem conduz
    dirig(?:e|em) toc(?:a|am) ensin(?:a|am) lev(?:a|am) pod(?:e|em) sofr(?:e|em) tom(?:a|am) precis(?:a|am)
    pag(?:a|am) dura
    """
)
_MINE: Final = r"(?:(?:o|a|os|as) )?(?:meus?|minhas?|noss[oa]s?)"
_PROFESSION: Final = (
    r"(?!(?:consciente|diferente|paciente|impaciente|primeir[oa]|solteir[oa]|sincer[oa]|verdadeir[oa]|unic[oa]"
    r"|bastante|presente|ausente|\w+mente|boa|bom|human[oa]|nov[oa]|capaz|fraca?o?|grat[oa]|feliz)\b)\w{2,}"
    + any_of(
        """
        eir[oa] [tsd]ora? ista log[oa] iatra graf[oa] ari[oa] ic[oa] ante iente ente tet[oa] tect[oa] ogad[oa]
        nom[oa] an[oa] es esa ense ol ola
        """
    )
    + r"\b"
)
_SOU: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:um|uma|o|a|de|do|da) (?!(?:que|opiniao|acordo|unic[oa]|pouco|favor|novato)\b)\S|"
    r"(?:alergic|intolerante|celiac|diabetic|asmatic|vegan|vegetarian|canhot|daltonic|solteir|casad|divorciad|viuv"
    r"|reformad|aposentad|separad|autonom|medic|advogad|pai|mae|avo|estudante|freelancer?|alun|chef|prof|surd|ceg"
    rf"|judi|judeu|muculman|crist|catolic|ateu|filh[oa] unic)\w*|{_PROFESSION})"
)
_LIKED: Final = (
    r"(?!(?:da|do|de|das|dos)? ?(?:tu[ao]s?|su[ao]s?|est[ea]s?|ess[ea]s?|isto|isso|como|que (?:seja|faca|digas"
    r"|sejas)|saber|assim|quando|(?:primeir|segund|terceir|ultim)[oa]|a (?:opcao|ideia|resposta|proposta|versao))\b"
    r"|muito\W*\Z|mais\W*\Z)\S"
)
_I: Final = r"(?:eu )?(?:agora |atualmente |actualmente |tambem |ainda |ja nao |antes )?"


def _owned(noun: str) -> str:
    """What is said of something of the author's that `noun` matches."""
    return (
        rf"{_MINE} (?!{_MATTER}\b){noun}(?: (?!que\b)[\w.'-]+){{0,5}}? "
        rf"(?:(?:ja |nao |agora |tambem )+)?{_VERB} (?!(?:assim|bem|mal|facil|simples|isso)\b)\S"
    )


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_I}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = any_of(
    """
    consulta reuniao voo comboio exame prova entrevista casamento visita operacao cirurgia aula concerto
    viagem jantar jogo mudanca batizado audiencia
    """
)
LASTING: Final = (
    _form(
        r"(?:decidi|decidimos|acordamos|combinamos|a equipa decidiu|a equipe decidiu|o cliente decidiu|resolvemos"
        r"|escolhemos) \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:aprendi|aprendemos) que \S+ \S|licao(?: aprendida)? ?:", Category.LESSON),
    _form(
        rf"(?:tenho|temos) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{DAY})|(?:a|o"
        rf"|{_MINE}) {_APPOINTMENT}\b.{{0,60}}? (?:e|sera|foi|fica)\b(?=.{{0,120}}{DAY})",
        Category.EVENT,
    ),
    _form(_owned(rf"(?:nov[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        either(
            rf"{_MINE} (?:objetivo|objectivo|meta|sonho)(?: \S+){{0,4}}? e \S",
            any_of(r"quero queremos pretendo vou vamos tenho_(?:de|que) temos_(?:de|que) devo preciso_de preciso")
            + rf"\b(?! (?:que|saber|um|uma)\b)(?=.{{0,160}}{DAY}).{{8}}",
        ),
        Category.GOAL,
    ),
    _form(rf"{_MINE} (?:[\w-]+ ){{1,4}}?e [\w.+-]{{1,64}}@\w", Category.FACT),
    _form(_owned(r"[\w-]{2,}"), Category.FACT),
    _form(r"(?:(?:me chamo|chamo-me)|(?:o )?meu nome e) \S", Category.FACT),
    _form(
        rf"(?:nao )?(?:sou|somos) (?:\w+mente |tambem )?{_SOU}|(?:tenho|temos) \d+ anos\b|(?:peso|meco) \d",
        Category.FACT,
    ),
    _form(
        r"(?:estou|estamos) (?:\w+mente )?"
        + any_of(
            """
            casad divorciad separad gravid reformad aposentad desempregad noiv de_baixa de_ferias de_licenca a_estudar
            a_aprender estudando aprendendo
            """
        )
        + r"\w*",
        Category.FACT,
    ),
    _form(
        r"(?:nao )?"
        + any_of(
            """
            vivo vivemos vivia moro moramos morava resido nasci nascemos cresci crescemos mudei-me me_mudei mudei
            mudamos mudamo-nos nos_mudamos vou_me_mudar vou_mudar-me
            """
        )
        + r"(?: \w+){0,2}? (?!(?:em |n)uma? (?:sociedade|epoca|bolha|mentira|mundo|simulacao)\b)(?:em|no|na|nos"
        r"|num|numa|com|para|sozinh[oa]|desde|perto|de|por) \S",
        Category.FACT,
    ),
    _form(
        r"(?:nao )?(?:trabalho|trabalhamos|trabalhava)(?: \w+){0,2}? (?:em|no|na|num|numa|como|para|com|por|desde"
        r"|a|de) (?!(?:est[ea]|um (?:projeto|texto|codigo|script))\b)\S|(?:estudo|estudamos|estudei) (?!sobre"
        r"|como)\S|dou aulas? \S|leciono \S|dirijo \S|ensino \S|(?:reformei-me|me aposentei|aposentei-me|casei-me"
        r"|me casei|casei|divorciei-me|formei-me|me formei|licenciei-me) \S|acabei de (?:comecar|mudar|entrar"
        r"|comprar|me mudar|casar)\b(?: \S+){2}|(?:mudei de|deixei (?:de|o|a)|comecei (?:a|como|um|uma|em)) \S+",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:tenho|sofro(?: de)?) (?:\w+ ){0,3}?"
            + any_of(
                """
                alergias? intolerancia diabetes asma enxaquecas? hipertensao epilepsia artrite tdah vertigens colesterol
                insonia endometriose fobia anemia
                """
            )
            + r"\b",
            r"nao (?:posso|podemos) (?:comer|tomar|beber|conduzir|dirigir|usar) \S",
            r"(?:ja )?nao (?:como|bebo|tomo|fumo|tolero|conduzo|dirijo|uso|utilizo|vou|viajo) (?!(?:isto|isso"
            r"|assim)\b)\S",
            r"(?:ja nao (?:fumo|bebo)|nao (?:fumo|bebo)(?: mais)?)\b",
            r"nao tenho (?:carro|filhos|carta|animais|irmaos|televisao)\b",
        ),
        Category.FACT,
    ),
    _form(
        rf"(?:nao )?(?:prefiro|preferimos|gosto|gostamos|adoro|adoramos|odeio|detesto|nao suporto|sou fa de) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:tenho|temos) (?:ja |tambem |ao todo )?{_COUNT} (?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b|{_MINE} [\w-]+ "
        r"(?:favorit|preferid)[oa] e \S",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:uso|usamos|utilizo|utilizamos|programo|programamos) (?!(?:est[ea]s?|ess[ea]s?|a funcao|o codigo"
            r"|um ciclo)\b)\S",
            any_of(r"falo falamos toco jogo pratico conduzo coleciono canto pinto aprendo treino cultivo cozinho")
            + r" (?!(?:de|do|da|contigo|consigo|com voce|est[ea])\b)\S",
        ),
        Category.FACT,
    ),
    _form(
        rf"(?:(?:a|as|aos?|no|na|nos|nas|todas? as|todos? os|cada) (?:{_WEEKDAY}|\w+ (?:feiras?))|todos os \w+"
        r"|todas as \w+|cada (?:dia|semana|mes|ano)|normalmente|geralmente|durante a semana|costumo) (?:nao )?"
        r"(?:eu )?(?:me )?\w+",
        Category.FACT,
    ),
    _form(
        any_of(
            """
            comprei compramos vendi vendemos adotei adotamos aluguei alugamos reservei reservamos assinei assinamos
            herdei fundei fundamos contratei contratamos passei_n[oa] reprovei demiti-me pedi_demissao
            perdi_(?:o|a|meu|minha)
            """
        )
        + r" (?!(?:o|um) (?:codigo|erro|script)\b)\S",
        Category.EVENT,
    ),
    _form(
        rf"(?:[oa] )?(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:e|sera|era) {_MINE} (?!(?:problema|duvida|pergunta"
        r"|objetivo|erro)\b)\S",
        Category.PERSON,
    ),
)
