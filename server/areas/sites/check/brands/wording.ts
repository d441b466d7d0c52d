/**
 * Words of sign-in pages, in the languages of the brands. A title of only these and the name of a
 * brand claims that brand. Any other word (the name of a shop, "koppelen", "alternatieven") makes
 * it the title of an ordinary page, which is accepted.
 */
const english = `
  a account accounts access alert and app authenticate authentication authorization bank banking billing blocked
  business cancel card cards center centre check client code com complete confirm confirmation connect
  continue control credentials customer customers dashboard delivery details device digital email enter for
  form gateway hello help home id identification identity in index info information internet invoice it
  join key limited locked log login logon mail main member mobile my net new nl nv official on online open out
  package page parcel password pay payment payments personal please portal private protect protection re recover
  reactivate recovery refund register required reset restore restricted retail safe safety secure secured
  security send service services session sign signin signup signon site start support suspended team the to
  track tracking transaction unlock untitled update up us user username validate validation verification verify
  view wallet web webmail website welcome with your yourself you world or document untitled inc ltd bv ag sa gmbh`
const dutch = `
  aan aanmelden account accounts bankieren beheer beveiligd beveiligde bij beveiliging betalen betaling bevestig
  bevestigen bezorging blokkering code controle controleren de deblokkeren een ga gebruiker gebruikersnaam
  gegevens geblokkeerd herstellen het hier identificatie inlog inloggen internetbankieren je jouw kaart klant
  klanten klantenservice klantnummer login mijn naar nieuwe omgeving online op pagina pakket particulier
  particulieren pas pinpas rekening reset scanner service start toegang uw van veilig veilige verder verifieer
  verificatie verificeren verlengen verlopen vernieuwen voor wachtwoord welkom werken zakelijk zending`
const german = `
  anmelden anmeldung ihr ihre ihrem ihren mein meine konto kunde kunden kennwort passwort bestatigen
  bestatigung sicher sicherheit willkommen zum zur bei die der das banking zugang uberprufung aktualisieren
  paket sendung einloggen freischalten und`
const french = `
  connexion connecter connectez se vous votre mon ma mes espace client clients identifiant identifiez mot de
  passe compte bienvenue securise securisee verification confirmer le la les colis livraison acces sur a et`
const spanish = `
  iniciar sesion acceso acceder cuenta mi mis tu su clave contrasena cliente clientes bienvenido seguro segura
  seguridad verificacion verificar confirmar banca en linea paquete envio entrar y el`

export const signInWords: ReadonlySet<string> = new Set(
  [english, dutch, german, french, spanish].flatMap((words) => words.trim().split(/\s+/)),
)

/** Words of sign-in addresses, between the hyphens of a slug. */
export const slugWords: ReadonlySet<string> = new Set(
  `account accounts alert app auth bank bankieren banking beveiligd check client com confirm
   controle customer de en help helpdesk id info inlog inloggen klant klantenservice live login
   logon mail mijn mobile my myaccount net nl nu online org pakket pay portal reset secure secured
   security service services sign signin support track tracking update user uw veilig verificatie
   verify verification wallet web webmail zakelijk eu be uk us in on my the your`
    .trim()
    .split(/\s+/),
)
