"""Portuguese forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms
from memd.domain.romance.portuguese_statements import DAY, LASTING
from memd.domain.text.alternatives import any_of, either

PORTUGUESE: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:ola|oi|bom dia|boa tarde|boa noite|hey|ei|ok|esta bem|sim|nao|obrigad[oa]|muito obrigad[oa]"
        r"|perfeito|otimo|correcao|nota|aviso|importante|info)(?: \w+)?\s?[,:;!.–—-]+\s+(?:e |mas )?|(?:alias"
        r"|a proposito|por sinal|alem disso|ja agora|so para saberes|na verdade|e|mas|tambem|pois|entao|olha),?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:por favor,? )?"
        + any_of(
            """
            lembra(?:-te)? lembre(?:-se)? tem_em_(?:conta|mente) tenha_em_(?:conta|mente) nao_(?:te_)?esquecas
            nao_se_esqueca anota anote toma_nota guarda
            """
        )
        + r"(?: de)?(?: que|:|,) (?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:por favor,? )?(?:lembra-me|me lembr[ae]|lembre-me|recorda-me|(?:podes|pode|poderias) "
        r"(?:me )?lembrar(?:-me)?)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:por favor,? )?(?:(?:a partir de (?:agora|hoje)|de agora em diante|daqui em diante|no futuro),? "
        r"(?:por favor,? )?(?:sempre |nunca |nao )?(?:me )?(?:respond|escrev|fal|us|utiliz|cham|trat|evit|diz|dig"
        r"|faz|fac|poe|da|de|comec|termin|pergunt)\w*|(?:respond|escrev|fal)\w{1,4}(?:-me)? (?:sempre|so"
        r"|apenas)\b|(?:chama-me|me chame|me chama|trata-me)\b(?: \S+)*|nunca (?:uses|use|escrevas|escreva"
        r"|respondas|responda) \S|e (?:estritamente )?proibido \S|(?:a |nossa )?regra(?: \S+){0,4}? (?:e|:))",
        re.IGNORECASE,
    ),
    lasting=LASTING,
    request=re.compile(
        r"\W*(?:por favor,? )?"
        + any_of(
            r"""
            podes poderias podem pode poderia (?:me_)?(?:ajudas|ajuda|recomendas|recomenda|explicas|explica)
            preciso_(?:de_)?(?:um|uma|que|ajuda|saber) precisamos_de
            quero_(?:que|um|uma|o|a|os|as|saber|ver|entender|fazer|criar|escrever) queria gostaria gostava procuro
            procuramos estou_a_procura estou_procurando da-me me_de diz-me me_diga escrev\w+ faz faca faz-me
            explica\w* explique resum\w+ traduz\w* corrig\w+ corrija ajud\w+ gera gere cria crie calcul\w+ enumer\w+
            compar\w+ recomend\w+ sugir\w+ sugere\w* mostr\w+ busca busque revê revisa analis\w+ prepara prepare
            planeia planeje organiz\w+ reserva reserve envia\w* manda\w* adicion\w+ muda apaga melhora descrev\w+
            define conta-me me_conte que qual quais quando onde como_(?:se|posso|faco) quem quant[oa]s? por_que porque
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:isso\b|isto\b|est[ae]s? (?!(?:ano|semana|mes|verao|inverno|primavera|outono|noite)\b)|ess[ae]s?\b"
        r"|aquilo\b|assim\b|obrigad[oa]\b|muito bem|de acordo|entendido|percebi\b|(?:a )?minha (?:pergunta|duvida"
        r"|ideia) )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        either(
            r"\b(?:tu[ao]|su[ao]|meu|minha|est[ea]|ess[ea]|o seguinte|a seguinte) (?:(?:ultim|primeir|segund"
            r"|anterior|propri)[oa]? )?"
            + any_of(
                """
                resposta opcao versao sugestao proposta pergunta duvida codigo script funcao texto paragrafo frase arquivo
                ficheiro tabela redacao ensaio poema conto personagem protagonista tarefa exercicio traducao mensagem
                prompt resumo capitulo rascunho
                """
            )
            + r"\b",
            r"\b(?:um|uma|o) (?:ensaio|trabalho|redacao|resumo|apresentacao|comentario) (?:sobre|de \d)",
            r"\b(?:a|o) (?:(?:ultim|primeir|segund|terceir)[oa] |anterior )?(?:resposta|opcao|versao|sugestao"
            r"|protagonista|paragrafo|codigo|exercicio)\b",
        ),
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:traduz\w*|traduc\w*|corrig(?:e|ir|e-me)|corrija|resum(?:e|ir|a)|reescrev\w+|parafras\w+|(?:reve"
        r"|revisa|melhora|analisa|completa)r? (?:o|a|este|esta|meu|minha) ?(?:meu |minha )?(?:texto|redacao|frase"
        r"|paragrafo|e-?mail|carta|ensaio|cv|curriculo|codigo)|(?:no|na|num|numa|do|da|para o|para a) (?:meu "
        r"|minha )?(?:conto|romance|poema|roteiro|redacao|ensaio|personagem|filme|serie|historia|texto|exercicio"
        r"|exemplo)|(?:escreve|escreva|inventa|invente|conta|imagina)(?:-me|-nos)? (?:um|uma) (?:\w+ )?(?:conto"
        r"|romance|poema|historia|dialogo|cancao)|finge|faz de conta|jogo de papeis|esta frase|estas frases"
        r"|seguinte (?:frase|texto|paragrafo))",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        either(
            r"\b"
            + any_of(
                r"""
                acho achamos creio talvez se_calhar pode_ser suponho suponhamos supostamente parece-me me_parece nao_sei
                nao_sabemos nao_tenho_certeza nao_tenho_a_certeza provavelmente possivelmente aparentemente ao_que_parece
                penso_que imagin\w+ duvido espero esperamos oxala tomara parece_que pergunto-me me_pergunto nao_me_lembro
                hipotetic\w+ como_se vivesse tivesse pudesse trabalhasse fosse viveria seria teria poderia faria moraria
                trabalharia iria sonhei inventad[oa] ficticio por_exemplo digamos
                """
            )
            + r"\b",
            r"\A\W*(?:e )?(?:se|quando|no (?:meu )?(?:sonho|jogo|conto|romance)|exemplo)\b",
        ),
        re.IGNORECASE,
    ),
    reported=re.compile(
        either(
            r"\b"
            + any_of(
                """
                diz dizem disse disseram dizia segundo afirmam? alegam? conta_que contam_que acham?_que pensam?_que
                (?:me_)?(?:contou|explicou) disse-me li_que esta_escrito
                """
            )
            + r"\b",
            r"[«“\"][^»”\"]{12,}",
        ),
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:nao (?:me |nos |se |lhe )?(?:funciona|compila|arranca|carrega|abre|liga|conecta|encontra|responde"
        r"|instala|entendo|percebo|consigo|aparece|imprime)m?|erros?|falha|falhou|bug|excecao|traceback|trava"
        r"|bloqueia|problemas?|avariad[oa]|caos|desastre|horrivel|lent[oa]s?|est(?:a|ao) (?:a \w+[aei]r|\w+(?:ando"
        r"|endo|indo))|hoje|esta (?:noite|tarde|manha)|em \w+ minutos|neste momento|um momento)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(
        r"\b(?:te|ti|tu|voces?|contigo|teu|tua|teus|tuas|podes|poderias|es(?!\w)|sabes|ajudas\w*|facas)\b(?!\W*\Z)|-te\b",
        re.IGNORECASE,
    ),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|mas|entao) )?"
        + any_of(
            """
            o_que que qual quais quando onde como quem quant[oa]s? por_que podes pode poderias poderia
            me_(?:ajuda|recomenda) sabes sabe ha
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:e |mas |por isso )?|\s(?:e|mas|por isso)\s)(?:eu )?(?:queria|queriamos|gostaria|gostariamos"
        r"|gostava|procuro|preciso de)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:e|mas|pois|porque|ja que) )?(?=\w)|\s(?:porque|ja que|pois|mas) ", re.IGNORECASE
    ),
    detail=re.compile(
        r"(?:ela?s? |eles |ambos )?(?:(?:e|sao) (?!(?:que|possivel|facil|dificil|importante|um erro|verdade"
        r"|necessario|melhor|teu|tua)\b)|(?:se chamam?|chamam?-se) |tem \S+ anos|viv(?:e|em) |mora(?:m)? "
        r"|trabalham? |estudam? |nasceu |gostam? de |fazem? \S+ anos|nao (?:come|bebe)m? )\S?",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{DAY}", re.IGNORECASE),
)
