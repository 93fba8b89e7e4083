"""The names of months in the languages references are written in."""

from __future__ import annotations

_MONTHS = """
jan january januar jänner jän janvier janv enero ene gennaio gen janeiro januari января январь янв ocak stycznia
styczeń ledna leden január januára tammikuuta tammikuu січня січень ιανουαρίου ιανουάριος ianuarie януари يناير
كانون जनवरी ינואר בינואר ژانویه

feb february februar febr février févr fév fevrier fev febrero febbraio fevereiro februari февраля февраль фев şubat
lutego luty února únor február februára helmikuuta helmikuu лютого лютий φεβρουαρίου φεβρουάριος februarie февруари
فبراير شباط फरवरी फ़रवरी פברואר בפברואר فوریه pebruari

mar march märz maerz mär mars marzo março marco maart mrt марта март мар mart marca marzec března březen március
maaliskuuta maaliskuu березня березень μαρτίου μάρτιος martie marts maret مارس آذار मार्च מרץ במרץ

apr april avril avr abril abr aprile апреля апрель апр nisan kwietnia kwiecień dubna duben április huhtikuuta
huhtikuu квітня квітень απριλίου απρίλιος aprilie април أبريل نيسان अप्रैल אפריל באפריל آوریل

may mai mayo maggio mag maio mei maj мая май mayıs maja května květen május toukokuuta toukokuu травня травень μαΐου
μαίου μάιος májusa مايو أيار मई מאי במאי مه

jun june juni juin junio giugno giu junho июня июнь июн haziran czerwca czerwiec června červen június kesäkuuta
kesäkuu червня червень ιουνίου ιούνιος iunie юни يونيو حزيران जून יוני ביוני ژوئن

jul july juli juillet juil julio luglio lug julho июля июль июл temmuz lipca lipiec července červenec július
heinäkuuta heinäkuu липня липень ιουλίου ιούλιος iulie юли يوليو تموز जुलाई יולי ביולי ژوئیه

aug august août aout agosto ago augustus augusti августа август авг ağustos sierpnia sierpień srpna srpen augusztus
elokuuta elokuu серпня серпень αυγούστου αύγουστος agustus أغسطس آب अगस्त אוגוסט באוגוסט اوت

sep september sept septembre septiembre settembre set setembro сентября сентябрь сен сент eylül września wrzesień
září szeptember syyskuuta syyskuu вересня вересень σεπτεμβρίου σεπτέμβριος septembrie септември سبتمبر أيلول सितंबर
सितम्बर ספטמבר בספטמבר سپتامبر

oct october oktober okt octobre octubre ottobre ott outubro out октября октябрь окт ekim października październik
října říjen október lokakuuta lokakuu жовтня жовтень οκτωβρίου οκτώβριος octombrie октомври أكتوبر अक्टूबर אוקטובר
באוקטובר اکتبر

nov november novembre noviembre novembro ноября ноябрь ноя kasım listopada listopad listopadu marraskuuta marraskuu
листопада листопад νοεμβρίου νοέμβριος noiembrie ноември نوفمبر नवंबर नवम्बर נובמבר בנובמבר نوامبر

dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro декабря декабрь дек aralık grudnia
grudzień prosince prosinec joulukuuta joulukuu грудня грудень δεκεμβρίου δεκέμβριος decembrie декември desember
ديسمبر दिसंबर दिसम्बर דצמבר בדצמבר دسامبر
"""
MONTHS: dict[str, int] = {
    word: number for number, names in enumerate(_MONTHS.strip().split("\n\n"), 1) for word in names.split()
}
"""The number of a month by its name, folded to lower case."""
