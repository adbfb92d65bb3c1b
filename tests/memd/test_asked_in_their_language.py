"""Questions in Spanish, Arabic and Hindi find the chunk that answers them, though their words are inflected differently."""

import pytest

from memd.domain.types import Tier
from tests.support.service import MakeUser
from tests.support.wire import chunk, fill, make_base, post

SPANISH = {
    "¿Quién arregla los ascensores del edificio?": "El ascensor del edificio norte lo arregla la empresa Robles cada marzo.",
    "¿Cuánto cuesta el billete del tranvía?": "Los billetes de tranvía cuestan dos euros y veinte céntimos.",
    "¿Cuándo abre la biblioteca municipal?": "La biblioteca municipal está abierta de lunes a sábado, desde las nueve.",
    "¿Dónde guardamos las llaves del almacén?": "La llave del almacén está guardada en el cajón rojo de recepción.",
    "¿Qué alergias tiene Lucía?": "Lucía es alérgica a los cacahuetes y al marisco.",
    "¿Cómo se reinicia el servidor de correo?": "Para reiniciar el servidor de correo hay que parar antes la cola de envío.",
    "¿Quién ganó el concurso de poesía?": "El concurso de poesía de este año lo ganó Marta Olmedo.",
    "¿Cuántos habitantes tiene Villaseca?": "Villaseca tiene tres mil cuatrocientos habitantes.",
    "¿Por qué se canceló el viaje a Lisboa?": "Cancelamos los viajes a Lisboa por la huelga de controladores.",
    "¿Qué vacunas necesita el perro?": "Al perro le falta la vacuna de la rabia.",
    "¿Dónde nació la abuela de Pablo?": "La abuela de Pablo es de Cádiz, donde nació en 1931.",
    "¿Qué contraseña usan los invitados para la wifi?": "La wifi de invitados usa la contraseña pintada en la pizarra.",
    "¿Cuándo vence el contrato de alquiler?": "El alquiler de la oficina termina en octubre, cuando vence el contrato.",
    "¿Cuál es el límite de gasto para viajes?": "Los gastos de viaje tienen un límite de noventa euros diarios.",
    "¿Quién diseñó los carteles de la feria?": "Inés Prado diseñó el cartel de la feria del libro.",
    "¿A qué hora sale el último autobús?": "El último de los autobuses sale a las once y media de la noche.",
    "¿Qué ingredientes lleva la salsa verde?": "La salsa verde lleva perejil, ajo, aceite y harina; son todos los ingredientes.",
    "¿Cuántos metros mide la torre del reloj?": "La torre del reloj mide cuarenta y dos metros.",
    "¿Quién sustituye a Elena durante sus vacaciones?": "Durante las vacaciones de Elena la sustituye Tomás.",
    "¿Dónde se recicla el vidrio?": "El contenedor para reciclar vidrio está detrás del mercado.",
}
ARABIC = {
    "من يصلح المصاعد في المبنى؟": "يصلح المصعد في المبنى الشمالي المهندس سامر كل شهر.",
    "كم ثمن تذكرة القطار؟": "ثمن التذاكر في القطار عشرون درهما.",
    "متى تفتح المكتبة العامة؟": "المكتبة العامة مفتوحة من السبت إلى الخميس، وتفتح في التاسعة.",
    "أين مفاتيح المستودع؟": "مفتاح المستودع في الدرج الأحمر عند الاستقبال.",
    "ما هي حساسية ليلى؟": "ليلى عندها حساسية من الفول السوداني.",
    "كيف نعيد تشغيل خادم البريد؟": "لإعادة تشغيل خادم البريد نوقف الطابور أولا.",
    "من فاز بجائزة الشعر؟": "فازت هدى منصور بجائزة الشعر هذا العام.",
    "كم عدد سكان القرية؟": "سكان القرية ثلاثة آلاف نسمة.",
    "لماذا ألغيت الرحلة إلى تونس؟": "ألغينا رحلة تونس بسبب إضراب المطار.",
    "ما اللقاح الذي يحتاجه الكلب؟": "الكلب يحتاج لقاح السعار.",
    "أين ولدت جدة كريم؟": "ولدت الجدة أم كريم في حلب سنة ١٩٣١.",
    "ما كلمة مرور الضيوف؟": "كلمة المرور للضيوف مكتوبة على السبورة.",
    "متى ينتهي عقد الإيجار؟": "عقد إيجار المكتب ينتهي في أكتوبر.",
    "ما حد نفقات السفر؟": "حدود نفقات السفر تسعون دينارا في اليوم.",
    "من صمم ملصق المعرض؟": "ملصقات المعرض صممتها رنا الخطيب.",
    "متى تغادر آخر حافلة؟": "آخر الحافلات تغادر عند منتصف الليل.",
    "ما مكونات الصلصة الخضراء؟": "الصلصة الخضراء مكوناتها بقدونس وثوم وزيت.",
    "كم ارتفاع برج الساعة؟": "ارتفاع برج الساعة اثنان وأربعون مترا.",
    "من ينوب عن سعاد في إجازتها؟": "في إجازة سعاد ينوب عنها طارق.",
    "أين تعاد تدوير الزجاجات؟": "حاوية تدوير الزجاج خلف السوق.",
}
HINDI = {
    "इमारत की लिफ्टें कौन ठीक करता है?": "उत्तरी इमारत की लिफ्ट हर महीने रमेश ठीक करता है।",
    "ट्राम के टिकट कितने के हैं?": "ट्राम का टिकट बीस रुपये का है।",
    "पुस्तकालय कब खुलता है?": "नगर का पुस्तकालय सोमवार से शनिवार सुबह नौ बजे खुलता है।",
    "गोदाम की चाबियाँ कहाँ हैं?": "गोदाम की चाबी स्वागत कक्ष की लाल दराज में है।",
    "लता को किस चीज़ से एलर्जी है?": "लता को मूँगफली से एलर्जी है।",
    "मेल सर्वर फिर से कैसे चालू करें?": "मेल सर्वर चालू करने से पहले कतार रोकनी पड़ती है।",
    "कविता प्रतियोगिता किसने जीती?": "इस साल की कविता प्रतियोगिता मीरा जोशी ने जीती।",
    "गाँव की आबादी कितनी है?": "गाँव की आबादी तीन हज़ार चार सौ है।",
    "गोवा की यात्रा क्यों रद्द हुई?": "हड़ताल के कारण गोवा की यात्राएँ रद्द हुईं।",
    "कुत्ते को कौन सा टीका चाहिए?": "कुत्तों को रेबीज़ का टीका चाहिए।",
    "अरुण की दादी कहाँ पैदा हुईं?": "अरुण की दादी वाराणसी में पैदा हुई थीं।",
    "मेहमानों के लिए वाईफाई का पासवर्ड क्या है?": "मेहमान वाईफाई का पासवर्ड बोर्ड पर लिखा है।",
    "किराये का अनुबंध कब समाप्त होता है?": "दफ़्तर के किराए का अनुबंध अक्टूबर में समाप्त होगा।",
    "यात्रा खर्च की सीमा क्या है?": "यात्रा के खर्चों की सीमा नौ सौ रुपये प्रतिदिन है।",
    "मेले के पोस्टर किसने बनाए?": "पुस्तक मेले का पोस्टर इरा सेन ने बनाया।",
    "आखिरी बसें कितने बजे जाती हैं?": "आख़िरी बस रात साढ़े ग्यारह बजे जाती है।",
    "हरी चटनी में क्या पड़ता है?": "हरी चटनी में धनिया, लहसुन और नींबू पड़ते हैं।",
    "घंटाघर की ऊँचाई कितनी है?": "घंटाघर बयालीस मीटर ऊँचा है, इसकी ऊंचाई सबसे अधिक है।",
    "सीमा की छुट्टियों में उसका काम कौन देखता है?": "सीमा की छुट्टी में उसका काम तरुण देखता है।",
    "काँच की बोतलें कहाँ जमा होती हैं?": "कांच की बोतल बाज़ार के पीछे जमा होती है।",
}


@pytest.mark.rule("11.2 lexemes in any language")
@pytest.mark.parametrize("answers", [SPANISH, ARABIC, HINDI], ids=["es", "ar", "hi"])
async def test_a_question_finds_the_chunk_that_answers_it(make_user: MakeUser, answers: dict[str, str]) -> None:
    user = await make_user(tier=Tier.ULTRA)
    base = await make_base(user)
    await fill(user, base, *(chunk(content) for content in answers.values()))

    first: dict[str, str] = {}
    for question in answers:
        reply = await post(user, f"/api/knowledge-bases/{base}/query", {"query": question, "limit": 1})
        first[question] = reply["results"][0]["content"] if reply["results"] else "nothing"
    assert {question: found for question, found in first.items() if found != answers[question]} == {}
