"""Portuguese forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms, Statement
from memd.domain.romance.portuguese_facts import PORTUGUESE_WORDS
from memd.domain.text.alternatives import any_of
from memd.domain.types import Category

_MONTH: Final = any_of(PORTUGUESE_WORDS.months)
_WEEKDAY: Final = r"(?:(?:segunda|terca|quarta|quinta|sexta)s?(?:-feiras?)?|sabados?|domingos?)"
_DAY: Final = rf"(?:\b\d{{1,2}} de {_MONTH}\b|\bem (?:{_MONTH}|(?:19|20)\d\d)\b|\b(?:segunda|terca|quarta|quinta|sexta)-feira\b|\b(?:na|a|ate|no) {_WEEKDAY}\b|\bamanha\b|\bproxim[oa]\b|\bque vem\b|\bontem\b|\bpassad[oa]\b|\b\d{{1,2}}/\d{{1,2}}\b|\bas \d)"
_COUNT: Final = r"(?:um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|vari[oa]s|muit[oa]s|\d+)"
_PEOPLE: Final = (
    r"(?:mae|pai|pais|mamae|papai|avos?|irma[os]?s?|irmaos|filh[oa]s?|mulher|esposa|marido|companheir[oa]|namorad[oa]|noiv[oa]|prim[oa]s?|ti[oa]s?|net[oa]s?|sogr[oa]s?|cunhad[oa]s?|sobrinh[oa]s?|genro|nora|amig[oa]s?|chefe|chefa|patrao|patroa|coleg[ao]s?|vizinh[oa]s?"
    r"|medic[oa]|doutora?|dentista|pediatra|psicolog[oa]|advogad[oa]|senhori[oa]|professora?|contabilista|contadora?|treinadora?|tutora?|mentora?|soci[oa]s?|bebe|gemeos?|gemeas?|padrinho|madrinha|afilhad[oa]|cao|caes|cachorr[oa]s?|cadela|gat[oa]s?|familia|ex)"
)
_MATTER: Final = (
    r"(?:perguntas?|duvidas?|problemas?|erros?|ideias?|listas?|tabelas?|textos?|codigo|arquivos?|ficheiros?|script|funcao|funcoes|variave\w+|colunas?|linhas?|dados|image(?:m|ns)|frases?|paragrafos?|e-?mails?|mensage(?:m|ns)|redacao|ensaio|poema|conto|personage(?:m|ns)|protagonista|tarefas?|exercicios?|traducao"
    r"|prompt|resumo|rascunho|titulo|opcao|opcoes|sugestao|sugestoes|propostas?|respostas?|solucao|momento|minutos?|pouco|coisas?|vontade|impressao|opiniao|computador|ecra|tela|programa|app|aplicacao|terminal|caso|cabeca|tipo)"
)
_POSSESSED: Final = r"(?:anima(?:l|is)|coelhos?|passaros?|tartarugas?|cavalos?|galinhas?|carros?|motos?|bicicletas?|carrinha|barco|casas?|apartamentos?|terreno|horta|jardim|negocio|lojas?|empresas?|restaurantes?|bar|blog|canal|podcast|empregad[oa]s|funcionari[oa]s|clientes?|alun[oa]s|pacientes|licenciatura|mestrado|doutorado|doutoramento|bolsa|hipoteca|emprestimo|seguro|piano|guitarra|violao|anos)"
_VERB: Final = (
    r"(?:e|sao|(?:se chama|chama-se|chamam-se)|viv(?:e|em)|mor(?:a|am)|trabalh(?:a|am)|estud(?:a|am)|tem|faz|fazem|nasceu|morreu|jog(?:a|am)|fal(?:a|am)|prefer(?:e|em)|odei(?:a|am)|ador(?:a|am)|gost(?:a|am)|com(?:e|em)|beb(?:e|em)|us(?:a|am)|cust(?:a|am)|comec(?:a|am)|termin(?:a|am)|acab(?:a|am)|expir(?:a|am)|venc(?:e|em)"
    r"|sai|saem|abr(?:e|em)|fech(?:a|am)|(?:se muda|muda-se|se casa|casa-se|casou)|vai|vao|vem|conduz|dirig(?:e|em)|toc(?:a|am)|ensin(?:a|am)|lev(?:a|am)|pod(?:e|em)|sofr(?:e|em)|tom(?:a|am)|precis(?:a|am)|pag(?:a|am)|dura)"
)
_MINE: Final = r"(?:(?:o|a|os|as) )?(?:meus?|minhas?|noss[oa]s?)"
_OWNED: Final = rf"{_MINE} (?!{_MATTER}\b){{noun}}(?: (?!que\b)[\w.'-]+){{{{0,5}}}}? (?:(?:ja |nao |agora |tambem )+)?{_VERB} (?!(?:assim|bem|mal|facil|simples|isso)\b)\S"
_PROFESSION: Final = (
    r"(?!(?:consciente|diferente|paciente|impaciente|primeir[oa]|solteir[oa]|sincer[oa]|verdadeir[oa]|unic[oa]|bastante|presente|ausente|\w+mente|boa|bom|human[oa]|nov[oa]|capaz|fraca?o?|grat[oa]|feliz)\b)"
    r"\w{2,}(?:eir[oa]|[tsd]ora?|ista|log[oa]|iatra|graf[oa]|ari[oa]|ic[oa]|ante|iente|ente|tet[oa]|tect[oa]|ogad[oa]|nom[oa]|an[oa]|es|esa|ense|ol|ola)\b"
)
_SOU: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:um|uma|o|a|de|do|da) (?!(?:que|opiniao|acordo|unic[oa]|pouco|favor|novato)\b)\S|(?:alergic|intolerante|celiac|diabetic|asmatic|vegan|vegetarian|canhot|daltonic|solteir|casad|divorciad|viuv|reformad|aposentad|separad|autonom|medic|advogad|pai|mae|avo|estudante|freelancer?|alun|chef|prof|surd|ceg|judi|judeu|muculman|crist|catolic|ateu|filh[oa] unic)\w*"
    rf"|{_PROFESSION})"
)
_LIKED: Final = r"(?!(?:da|do|de|das|dos)? ?(?:tu[ao]s?|su[ao]s?|est[ea]s?|ess[ea]s?|isto|isso|como|que (?:seja|faca|digas|sejas)|saber|assim|quando|(?:primeir|segund|terceir|ultim)[oa]|a (?:opcao|ideia|resposta|proposta|versao))\b|muito\W*\Z|mais\W*\Z)\S"
_I: Final = r"(?:eu )?(?:agora |atualmente |actualmente |tambem |ainda |ja nao |antes )?"


def _form(pattern: str, category: Category) -> Statement:
    return Statement(re.compile(rf"{_I}(?:{pattern})", re.IGNORECASE), category)


_APPOINTMENT: Final = r"(?:consulta|reuniao|voo|comboio|exame|prova|entrevista|casamento|visita|operacao|cirurgia|aula|concerto|viagem|jantar|jogo|mudanca|batizado|audiencia)"
_LASTING: Final = (
    _form(
        r"(?:decidi|decidimos|acordamos|combinamos|a equipa decidiu|a equipe decidiu|o cliente decidiu|resolvemos|escolhemos) \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:aprendi|aprendemos) que \S+ \S|licao(?: aprendida)? ?:", Category.LESSON),
    _form(
        rf"(?:tenho|temos) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{_DAY})|(?:a|o|{_MINE}) {_APPOINTMENT}\b.{{0,60}}? (?:e|sera|foi|fica)\b(?=.{{0,120}}{_DAY})",
        Category.EVENT,
    ),
    _form(_OWNED.format(noun=rf"(?:nov[oa] )?{_PEOPLE}"), Category.PERSON),
    _form(
        rf"{_MINE} (?:objetivo|objectivo|meta|sonho)(?: \S+){{0,4}}? e \S|(?:quero|queremos|pretendo|vou|vamos|tenho (?:de|que)|temos (?:de|que)|devo|preciso de|preciso)\b(?! (?:que|saber|um|uma)\b)(?=.{{0,160}}{_DAY}).{{8}}",
        Category.GOAL,
    ),
    _form(rf"{_MINE} (?:[\w-]+ ){{1,4}}?e [\w.+-]{{1,64}}@\w", Category.FACT),
    _form(_OWNED.format(noun=r"[\w-]{2,}"), Category.FACT),
    _form(r"(?:(?:me chamo|chamo-me)|(?:o )?meu nome e) \S", Category.FACT),
    _form(rf"(?:nao )?(?:sou|somos) (?:\w+mente |tambem )?{_SOU}|(?:tenho|temos) \d+ anos\b", Category.FACT),
    _form(
        r"(?:estou|estamos) (?:\w+mente )?(?:casad|divorciad|separad|gravid|reformad|aposentad|desempregad|noiv|de baixa|de ferias|de licenca|a estudar|a aprender|estudando|aprendendo)\w*",
        Category.FACT,
    ),
    _form(
        r"(?:nao )?(?:vivo|vivemos|vivia|moro|moramos|morava|resido|nasci|nascemos|cresci|crescemos|mudei-me|me mudei|mudei|mudamos|mudamo-nos|nos mudamos|vou me mudar|vou mudar-me)(?: \w+){0,2}? (?!(?:em |n)uma? (?:sociedade|epoca|bolha|mentira|mundo|simulacao)\b)(?:em|no|na|nos|num|numa|com|para|sozinh[oa]|desde|perto|de|por) \S",
        Category.FACT,
    ),
    _form(
        r"(?:nao )?(?:trabalho|trabalhamos|trabalhava)(?: \w+){0,2}? (?:em|no|na|num|numa|como|para|com|por|desde|a|de) (?!(?:est[ea]|um (?:projeto|texto|codigo|script))\b)\S|(?:estudo|estudamos|estudei) (?!sobre|como)\S|dou aulas? \S|leciono \S|dirijo \S|ensino \S"
        r"|(?:reformei-me|me aposentei|aposentei-me|casei-me|me casei|casei|divorciei-me|formei-me|me formei|licenciei-me) \S|acabei de (?:comecar|mudar|entrar|comprar|me mudar|casar)\b(?: \S+){2}|(?:mudei de|deixei (?:de|o|a)|comecei (?:a|como|um|uma|em)) \S+",
        Category.FACT,
    ),
    _form(
        r"(?:tenho|sofro(?: de)?) (?:\w+ ){0,3}?(?:alergias?|intolerancia|diabetes|asma|enxaquecas?|hipertensao|epilepsia|artrite|tdah|vertigens|colesterol|insonia|endometriose|fobia|anemia)\b"
        r"|nao (?:posso|podemos) (?:comer|tomar|beber|conduzir|dirigir|usar) \S|(?:ja )?nao (?:como|bebo|tomo|fumo|tolero|conduzo|dirijo|uso|utilizo|vou|viajo) (?!(?:isto|isso|assim)\b)\S|(?:ja nao (?:fumo|bebo)|nao (?:fumo|bebo)(?: mais)?)\b|nao tenho (?:carro|filhos|carta|animais|irmaos|televisao)\b",
        Category.FACT,
    ),
    _form(
        rf"(?:nao )?(?:prefiro|preferimos|gosto|gostamos|adoro|adoramos|odeio|detesto|nao suporto|sou fa de) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:tenho|temos) (?:ja |tambem |ao todo )?{_COUNT} (?:\w+ )?(?:{_PEOPLE}|{_POSSESSED})\b|{_MINE} [\w-]+ (?:favorit|preferid)[oa] e \S",
        Category.FACT,
    ),
    _form(
        r"(?:uso|usamos|utilizo|utilizamos|programo|programamos) (?!(?:est[ea]s?|ess[ea]s?|a funcao|o codigo|um ciclo)\b)\S|(?:falo|falamos|toco|jogo|pratico|conduzo|coleciono|canto|pinto|aprendo|treino|cultivo|cozinho) (?!(?:de|do|da|contigo|consigo|com voce|est[ea])\b)\S",
        Category.FACT,
    ),
    _form(
        rf"(?:(?:a|as|aos?|no|na|nos|nas|todas? as|todos? os|cada) (?:{_WEEKDAY}|\w+ (?:feiras?))|todos os \w+|todas as \w+|cada (?:dia|semana|mes|ano)|normalmente|geralmente|durante a semana|costumo) (?:nao )?(?:eu )?(?:me )?\w+",
        Category.FACT,
    ),
    _form(
        r"(?:comprei|compramos|vendi|vendemos|adotei|adotamos|aluguei|alugamos|reservei|reservamos|assinei|assinamos|herdei|fundei|fundamos|contratei|contratamos|passei n[oa]|reprovei|demiti-me|pedi demissao|perdi (?:o|a|meu|minha)) (?!(?:o|um) (?:codigo|erro|script)\b)\S",
        Category.EVENT,
    ),
    _form(
        rf"(?:[oa] )?(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:e|sera|era) {_MINE} (?!(?:problema|duvida|pergunta|objetivo|erro)\b)\S",
        Category.PERSON,
    ),
)

PORTUGUESE: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:ola|oi|bom dia|boa tarde|boa noite|hey|ei|ok|esta bem|sim|nao|obrigad[oa]|muito obrigad[oa]|perfeito|otimo|correcao|nota|aviso|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+(?:e |mas )?"
        r"|(?:alias|a proposito|por sinal|alem disso|ja agora|so para saberes|na verdade|e|mas|tambem|pois|entao|olha),?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:por favor,? )?(?:lembra(?:-te)?|lembre(?:-se)?|tem em (?:conta|mente)|tenha em (?:conta|mente)|nao (?:te )?esquecas|nao se esqueca|anota|anote|toma nota|guarda)(?: de)?(?: que|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:por favor,? )?(?:lembra-me|me lembr[ae]|lembre-me|recorda-me|(?:podes|pode|poderias) (?:me )?lembrar(?:-me)?)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:por favor,? )?(?:(?:a partir de (?:agora|hoje)|de agora em diante|daqui em diante|no futuro),? (?:por favor,? )?(?:sempre |nunca |nao )?(?:me )?(?:respond|escrev|fal|us|utiliz|cham|trat|evit|diz|dig|faz|fac|poe|da|de|comec|termin|pergunt)\w*"
        r"|(?:respond|escrev|fal)\w{1,4}(?:-me)? (?:sempre|so|apenas)\b|(?:chama-me|me chame|me chama|trata-me)\b(?: \S+)*|nunca (?:uses|use|escrevas|escreva|respondas|responda) \S|e (?:estritamente )?proibido \S|(?:a |nossa )?regra(?: \S+){0,4}? (?:e|:))",
        re.IGNORECASE,
    ),
    lasting=_LASTING,
    request=re.compile(
        r"\W*(?:por favor,? )?(?:podes|poderias|podem|pode|poderia|(?:me )?(?:ajudas|ajuda|recomendas|recomenda|explicas|explica)|preciso (?:de )?(?:um|uma|que|ajuda|saber)|precisamos de|quero (?:que|um|uma|o|a|os|as|saber|ver|entender|fazer|criar|escrever)|queria|gostaria|gostava|procuro|procuramos|estou a procura|estou procurando"
        r"|da-me|me de|diz-me|me diga|escrev\w+|faz|faca|faz-me|explica\w*|explique|resum\w+|traduz\w*|corrig\w+|corrija|ajud\w+|gera|gere|cria|crie|calcul\w+|enumer\w+|compar\w+|recomend\w+|sugir\w+|sugere\w*|mostr\w+|busca|busque|revê|revisa|analis\w+|prepara|prepare|planeia|planeje|organiz\w+|reserva|reserve|envia\w*|manda\w*|adicion\w+"
        r"|muda|apaga|melhora|descrev\w+|define|conta-me|me conte|que|qual|quais|quando|onde|como (?:se|posso|faco)|quem|quant[oa]s?|por que|porque)\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:isso\b|isto\b|est[ae]s? (?!(?:ano|semana|mes|verao|inverno|primavera|outono|noite)\b)|ess[ae]s?\b|aquilo\b|assim\b|obrigad[oa]\b|muito bem|de acordo|entendido|percebi\b|(?:a )?minha (?:pergunta|duvida|ideia) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        r"\b(?:tu[ao]|su[ao]|meu|minha|est[ea]|ess[ea]|o seguinte|a seguinte) (?:(?:ultim|primeir|segund|anterior|propri)[oa]? )?(?:resposta|opcao|versao|sugestao|proposta|pergunta|duvida|codigo|script|funcao|texto|paragrafo|frase|arquivo|ficheiro|tabela|redacao|ensaio|poema|conto|personagem|protagonista|tarefa|exercicio|traducao|mensagem|prompt|resumo|capitulo|rascunho)\b"
        r"|\b(?:um|uma|o) (?:ensaio|trabalho|redacao|resumo|apresentacao|comentario) (?:sobre|de \d)|\b(?:a|o) (?:(?:ultim|primeir|segund|terceir)[oa] |anterior )?(?:resposta|opcao|versao|sugestao|protagonista|paragrafo|codigo|exercicio)\b",
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduz\w*|traduc\w*|corrig(?:e|ir|e-me)|corrija|resum(?:e|ir|a)|reescrev\w+|parafras\w+|(?:reve|revisa|melhora|analisa|completa)r? (?:o|a|este|esta|meu|minha) ?(?:meu |minha )?(?:texto|redacao|frase|paragrafo|e-?mail|carta|ensaio|cv|curriculo|codigo)"
        r"|(?:no|na|num|numa|do|da|para o|para a) (?:meu |minha )?(?:conto|romance|poema|roteiro|redacao|ensaio|personagem|filme|serie|historia|texto|exercicio|exemplo)|(?:escreve|escreva|inventa|invente|conta|imagina)(?:-me|-nos)? (?:um|uma) (?:\w+ )?(?:conto|romance|poema|historia|dialogo|cancao)|finge|faz de conta|jogo de papeis|esta frase|estas frases|seguinte (?:frase|texto|paragrafo))",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        r"\b(?:acho|achamos|creio|talvez|se calhar|pode ser|suponho|suponhamos|supostamente|parece-me|me parece|nao sei|nao sabemos|nao tenho certeza|nao tenho a certeza|provavelmente|possivelmente|aparentemente|ao que parece|penso que|imagin\w+|duvido|espero|esperamos|oxala|tomara|parece que|pergunto-me|me pergunto|nao me lembro|hipotetic\w+|como se|vivesse|tivesse"
        r"|pudesse|trabalhasse|fosse|viveria|seria|teria|poderia|faria|moraria|trabalharia|iria|sonhei|inventad[oa]|ficticio|por exemplo|digamos)\b|\A\W*(?:e )?(?:se|quando|no (?:meu )?(?:sonho|jogo|conto|romance)|exemplo)\b",
        re.IGNORECASE,
    ),
    reported=re.compile(
        r"\b(?:diz|dizem|disse|disseram|dizia|segundo|afirmam?|alegam?|conta que|contam que|acham? que|pensam? que|(?:me )?(?:contou|explicou)|disse-me|li que|esta escrito)\b|[«“\"][^»”\"]{12,}",
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:nao (?:me |nos |se |lhe )?(?:funciona|compila|arranca|carrega|abre|liga|conecta|encontra|responde|instala|entendo|percebo|consigo|aparece|imprime)m?|erros?|falha|falhou|bug|excecao|traceback|trava|bloqueia|problemas?|avariad[oa]|caos|desastre|horrivel|lent[oa]s?|est(?:a|ao) (?:a \w+[aei]r|\w+(?:ando|endo|indo))|hoje|esta (?:noite|tarde|manha)|em \w+ minutos|neste momento|um momento)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b(?:te|ti|tu|voces?|contigo|teu|tua|teus|tuas|podes|poderias|es(?!\w)|sabes|ajudas\w*|facas)\b(?!\W*\Z)|-te\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|mas|entao) )?(?:o que|que|qual|quais|quando|onde|como|quem|quant[oa]s?|por que|podes|pode|poderias|poderia|me (?:ajuda|recomenda)|sabes|sabe|ha)\b",
        re.IGNORECASE,
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:e |mas |por isso )?|\s(?:e|mas|por isso)\s)(?:eu )?(?:queria|queriamos|gostaria|gostariamos|gostava|procuro|preciso de)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|mas|pois|porque|ja que) )?(?=\w)|\s(?:porque|ja que|pois|mas) ", re.IGNORECASE
    ),
    detail=re.compile(
        r"(?:ela?s? |eles |ambos )?(?:(?:e|sao) (?!(?:que|possivel|facil|dificil|importante|um erro|verdade|necessario|melhor|teu|tua)\b)|(?:se chamam?|chamam?-se) |tem \S+ anos|viv(?:e|em) |mora(?:m)? |trabalham? |estudam? |nasceu |gostam? de |fazem? \S+ anos|nao (?:come|bebe)m? )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{_DAY}", re.IGNORECASE),
)
