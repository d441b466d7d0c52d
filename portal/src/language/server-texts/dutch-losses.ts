/** What an operation deletes or overwrites, in Dutch; … stands for a value. */
const deletions: Readonly<Record<string, string>> = {
  'It deletes 1 document in ….': 'Het verwijdert 1 document in ….',
  'It deletes 1 document in …: ….': 'Het verwijdert 1 document in …: ….',
  'It deletes … documents in ….': 'Het verwijdert … documenten in ….',
  'It deletes … documents in …: ….': 'Het verwijdert … documenten in …: ….',
  'It deletes … documents in …, among them: ….': 'Het verwijdert … documenten in …, waaronder: ….',
}
const overwriting = {
  en: 'It overwrites fields of … documents in ….',
  nl: 'Het overschrijft velden van … documenten in ….',
}

export const dutchLosses: Readonly<Record<string, string>> = {
  ...deletions,
  [overwriting.en]: overwriting.nl,
  // A batch may do both.
  ...Object.fromEntries(
    Object.entries(deletions).map(([en, nl]) => [
      `${en} ${overwriting.en}`,
      `${nl} ${overwriting.nl}`,
    ]),
  ),
  'It deletes … with its 1 document.': 'Het verwijdert … met het ene document erin.',
  'It deletes … with its … documents.': 'Het verwijdert … met de … documenten erin.',
  'It deletes … files.': 'Het verwijdert … bestanden.',
  'It deletes the present content of the file.':
    'Het verwijdert de huidige inhoud van het bestand.',
  'It overwrites … of the … documents in ….': 'Het overschrijft … van de … documenten in ….',
  'It may overwrite the … documents in … with …, ….':
    'Het kan de … documenten in … overschrijven met …, ….',
  'It may overwrite the … documents in … with the file, ….':
    'Het kan de … documenten in … overschrijven met het bestand, ….',
  'It takes away the home page: visitors of … will find no page there.':
    'Het haalt de voorpagina weg: bezoekers van … vinden daar geen pagina meer.',
}
