"""Names that are no employers and no towns, without accents and in lower case, in Spanish, French, Italian and Portuguese."""

from typing import Final

_COUNTRIES: Final = """
    espana,espagne,spagna,espanha,francia,france,franca,italia,italie,portugal,portogallo,alemania,allemagne,germania,alemanha
    reino unido,royaume-uni,regno unito,inglaterra,angleterre,inghilterra,irlanda,irlande,escocia,ecosse,suiza,suisse,svizzera,suica
    belgica,belgique,belgio,holanda,paises bajos,pays-bas,olanda,paesi bassi,austria,autriche,polonia,pologne,suecia,suede,svezia
    noruega,norvege,norvegia,dinamarca,danemark,danimarca,finlandia,finlande,grecia,grece,rusia,russie,russia,turquia,turquie,turchia
    rumania,roumanie,romania,ucrania,ukraine,ucraina,marruecos,maroc,marocco,marrocos,argelia,algerie,algeria,tunez,tunisie,tunisia
    senegal,egipto,egypte,egitto,sudafrica,angola,mozambique,mocambique,cabo verde,mexico,mexique,messico,estados unidos,estados unidos de america
    etats-unis,stati uniti,usa,canada,cuba,guatemala,honduras,el salvador,nicaragua,costa rica,panama,republica dominicana,puerto rico
    colombia,colombie,venezuela,ecuador,equateur,peru,perou,bolivia,bolivie,chile,chili,cile,argentina,argentine,uruguay,paraguay,brasil
    bresil,brasile,china,chine,cina,japon,giappone,japao,india,inde,corea,coree,australia,australie,nueva zelanda,israel,dubai,emiratos arabes
    europa,europe,america,amerique,africa,afrique,asia,asie,latinoamerica
"""
_REGIONS: Final = """
    andalucia,cataluna,catalunya,galicia,euskadi,pais vasco,aragon,asturias,cantabria,navarra,extremadura,canarias,baleares,castilla
    bretagne,normandie,provence,alsace,bourgogne,occitanie,corse,savoie,toscana,lombardia,sicilia,sardegna,puglia,piemonte,veneto,liguria,umbria
    algarve,alentejo,minho,madeira,acores,minas gerais,bahia,ceara,parana,patagonia,flandres,wallonie,quebec
"""
_TOWNS: Final = """
    madrid,barcelona,valencia,sevilla,zaragoza,malaga,murcia,palma,bilbao,alicante,cordoba,valladolid,vigo,gijon,vitoria,granada,elche,oviedo
    badalona,cartagena,jerez,mostoles,getafe,leganes,alcorcon,alcala,fuenlabrada,pamplona,almeria,santander,burgos,albacete,castellon
    logrono,badajoz,salamanca,huelva,lleida,tarragona,leon,cadiz,jaen,ourense,girona,lugo,caceres,guadalajara,toledo,pontevedra,palencia,ciudad real
    zamora,avila,cuenca,huesca,segovia,soria,teruel,ibiza,marbella,tenerife,las palmas,san sebastian,donostia,a coruna,la coruna,santiago,ceuta,melilla
    ciudad de mexico,cdmx,monterrey,puebla,tijuana,cancun,merida,queretaro,oaxaca,toluca,bogota,medellin,cali,barranquilla,bucaramanga,lima,arequipa,cusco
    quito,guayaquil,la paz,santa cruz,sucre,cochabamba,valparaiso,concepcion,buenos aires,rosario,mendoza,la plata,tucuman,montevideo,asuncion,caracas
    maracaibo,la habana,san jose,san juan,santo domingo,managua,tegucigalpa,miami,nueva york,los angeles,londres,paris,lyon,berlin,munich,roma,milan,lisboa
    salvador,rio de janeiro,rio,porto,recife,funchal,cairo,mans,havre,touquet,sabadell,terrassa,mataro,reus,torrejon,alcobendas,parla
    oporto,bruselas,amsterdam,dublin,viena,zurich,ginebra,praga,varsovia,copenhague,estocolmo,oslo,atenas,tokio,boston,chicago,toronto,sao paulo
"""
_NO_FIRMS: Final = """
    navidad,nochebuena,semana santa,reyes,noel,natale,natal,python,java,javascript,excel,word,photoshop,linux,windows,php,react,internet,ingles
    ramadan,pascua,dio,dios,dieu,deus,paques,pasqua,pascoa
"""
_NO_TOWNS: Final = """
    paz,pareja,familia,casa,alquiler,guerra,soledad,silencio,comunidad,comun,campo,una,unas,uno,unos,las,los,las nubes,mis,mi,esta,este,esa,ese,armonia
    ville,famille,colocation,couple,paix,credit,une,des,mon,mes,notre,temps,banlieue,campagne,appartement,affitto,campagna,citta,centro,pace,famiglia
    coppia,periferia,montagna,montanha,cidade,aluguel,dos,duas,minha,meu,meus,minhas,apartamento,harmonia,comunhao,zona,plena,pleno,otra,outra,varias,vacaciones
    realidad,peligro,forma,regime,ferias,uma,uns,umas,aquela,aquele,sua,seu,nossa,nosso,perto,retard,cause,proximite,cote,nouveau,deux,trois,pied,moitie,domicile
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for line in text.split("\n") for name in line.split(",") if name.strip())


COUNTRIES: Final = _names(_COUNTRIES)
"""Also continents: who lives in Spain may live in Madrid."""
_REGION_NAMES: Final = _names(_REGIONS)
_FIRMLESS: Final = COUNTRIES | _REGION_NAMES | _names(_TOWNS) | _names(_NO_FIRMS)
_TOWNLESS: Final = _names(_NO_TOWNS)


def is_wide(name: str) -> bool:
    """Whether a name is that of a country or a region, in which there are towns."""
    return name in COUNTRIES or name in _REGION_NAMES


def may_employ(name: str) -> bool:
    """Whether a name may be that of an employer: `Trabajo en Madrid` says where, not for whom."""
    return name not in _FIRMLESS


def may_be_town(name: str) -> bool:
    """Whether a name may be that of a town: nobody lives in a town called `paz`."""
    return name not in _TOWNLESS
