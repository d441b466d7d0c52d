/** What the server says about calls and text messages, in Dutch; … stands for a value. */
export const dutchCalls: Readonly<Record<string, string>> = {
  'It is … in …. Calls are allowed from … to … where the person is.':
    'Het is daar … (…). Bellen mag van … tot …, in de tijd van de persoon.',
  'It is … in …. Calls are allowed from … to … where the person is, and for marketing not on Sundays.':
    'Het is daar … (…). Bellen mag van … tot …, in de tijd van de persoon, en voor reclame niet op zondag.',
  'It is night there.': 'Het is daar nacht.',
  'The assistant that calls was never set up.': 'De assistent die belt, is nog niet ingesteld.',
  'No carrier is connected, so nobody is called.':
    'Er is geen telefoonbedrijf gekoppeld, dus er wordt niemand gebeld.',
  'No carrier is connected, so no real messages are sent.':
    'Er is geen telefoonbedrijf gekoppeld, dus er worden geen echte berichten verstuurd.',
  'Outbound calls need the verification level full.':
    'Voor uitgaande gesprekken is de volledige verificatie nodig.',
  'The project has no active number that the assistant can call from.':
    'Het project heeft geen actief nummer waarmee de assistent kan bellen.',
  '… has no recorded consent to marketing calls.':
    'Voor … is geen toestemming voor reclamegesprekken vastgelegd.',
  '/to is …, so nobody is called.':
    'Dit nummer kan niet worden gebeld, dus er wordt niemand gebeld.',
  'The project has started its … calls of today.':
    'Het project heeft vandaag al … gesprekken gestart, het maximum.',
  '… calls of this project are running; at most … may.':
    'Er zijn … gesprekken van dit project bezig; dat mogen er hoogstens … zijn.',
  'Put through to ….': 'Doorverbonden met ….',
  '… answered and was connected.': '… nam op en is verbonden.',
  'The phones rang, and nobody answered.': 'De telefoons gingen over, en niemand nam op.',
  'The phones were busy.': 'De telefoons waren in gesprek.',
  'The phones could not be reached.': 'De telefoons waren niet bereikbaar.',
  '…: nobody answered.': '…: niemand nam op.',
  '…: busy.': '…: in gesprek.',
  '…: could not be reached.': '…: niet bereikbaar.',
  'The balance does not cover calls.': 'Het saldo is te laag voor gesprekken.',
  'Nobody answered.': 'Niemand nam op.',
  'Played ….': '… is afgespeeld.',
  'Beep.': 'Pieptoon.',
  'The audio file of the call plan is no longer in the library.':
    'Het geluidsbestand van het belplan staat niet meer in de bibliotheek.',
  'No text message is sent, because the caller hides their number.':
    'Er is geen sms verstuurd, omdat de beller het nummer verbergt.',
  'A text message to … is queued.': 'Er wordt een sms naar … verstuurd.',
  'A text message to … is queued, as a simulation.':
    'Er wordt een sms naar … verstuurd, als simulatie.',
  'No text message is sent to …: …': 'Er is geen sms naar … verstuurd: …',
  '… is not rung, because the call comes from a number of this project and could loop.':
    '… is niet gebeld, omdat het gesprek van een nummer van dit project komt en rond kan gaan.',
  '… …, so the call is not transferred there.':
    'Naar … mag niet worden doorverbonden, dus het gesprek gaat daar niet heen.',
  'The assistant pressed ….': 'De assistent koos ….',
  'The assistant was refused a tool.': 'De assistent kreeg een hulpmiddel niet.',
  'The assistant reached the limit of ….': 'De assistent bereikte de limiet van ….',
  'The assistant found no record of … for the given values.':
    'De assistent vond in … niets met deze gegevens.',
  'The assistant looked up …: … found.': 'De assistent zocht in …: … gevonden.',
  'The assistant checked the opening hours of ….': 'De assistent bekeek de openingstijden van ….',
}
