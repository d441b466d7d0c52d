/** Texts of the built-in pages of sites, by language. */
import type { PageLanguage } from '../http/wording.ts'

export type NoticeName =
  | 'nowhere'
  | 'missing'
  | 'offline'
  | 'unavailable'
  | 'password'
  | 'wrong'
  | 'wait'

interface Words {
  title: string
  text: string
}

export interface FormWords {
  label: string
  button: string
}

export const noticeWords: Readonly<Record<PageLanguage, Readonly<Record<NoticeName, Words>>>> = {
  en: {
    nowhere: {
      title: 'There is no site here',
      text: 'Check the address for a typing error. The site may also have moved or been removed.',
    },
    missing: {
      title: 'This page does not exist',
      text: 'It may have moved or been removed. The rest of the site is still there.',
    },
    offline: {
      title: 'This site is offline',
      text: 'It was taken offline and cannot be visited at the moment.',
    },
    unavailable: {
      title: 'Temporarily unavailable',
      text: 'The site cannot be shown right now. Please try again in a few seconds.',
    },
    password: { title: 'This site has a password', text: 'Enter it to continue.' },
    wrong: { title: 'This site has a password', text: 'The password is wrong. Try again.' },
    wait: {
      title: 'Please wait a moment',
      text: 'There were too many attempts in a short time. Wait a minute and try again.',
    },
  },
  nl: {
    nowhere: {
      title: 'Hier is geen site',
      text: 'Kijk of het adres klopt. De site kan ook verhuisd of verwijderd zijn.',
    },
    missing: {
      title: 'Deze pagina bestaat niet',
      text: 'Misschien is ze verplaatst of verwijderd. De rest van de site is er nog.',
    },
    offline: {
      title: 'Deze site is offline',
      text: 'De site is offline gehaald en kan nu niet worden bezocht.',
    },
    unavailable: {
      title: 'Zo weer terug',
      text: 'De site kan nu niet worden getoond. Probeer het over een paar seconden opnieuw.',
    },
    password: { title: 'Deze site heeft een wachtwoord', text: 'Vul het in om verder te gaan.' },
    wrong: {
      title: 'Deze site heeft een wachtwoord',
      text: 'Dat wachtwoord klopt niet. Probeer het opnieuw.',
    },
    wait: {
      title: 'Even wachten',
      text: 'Er is te vaak achter elkaar geprobeerd. Wacht een minuut en probeer het opnieuw.',
    },
  },
  de: {
    nowhere: {
      title: 'Hier ist keine Website',
      text: 'Prüfen Sie die Adresse. Die Website kann auch umgezogen oder gelöscht sein.',
    },
    missing: {
      title: 'Diese Seite gibt es nicht',
      text: 'Vielleicht wurde sie verschoben oder gelöscht. Der Rest der Website ist noch da.',
    },
    offline: {
      title: 'Diese Website ist offline',
      text: 'Sie wurde vom Netz genommen und kann zurzeit nicht besucht werden.',
    },
    unavailable: {
      title: 'Gleich wieder da',
      text: 'Die Website kann gerade nicht gezeigt werden. Versuchen Sie es in ein paar Sekunden.',
    },
    password: {
      title: 'Diese Website hat ein Passwort',
      text: 'Geben Sie es ein, um weiterzugehen.',
    },
    wrong: {
      title: 'Diese Website hat ein Passwort',
      text: 'Das Passwort stimmt nicht. Versuchen Sie es noch einmal.',
    },
    wait: {
      title: 'Bitte kurz warten',
      text: 'Es gab zu viele Versuche in kurzer Zeit. Warten Sie eine Minute.',
    },
  },
  fr: {
    nowhere: {
      title: 'Il n’y a pas de site ici',
      text: 'Vérifiez l’adresse. Le site a peut-être aussi déménagé ou été supprimé.',
    },
    missing: {
      title: 'Cette page n’existe pas',
      text: 'Elle a peut-être été déplacée ou supprimée. Le reste du site est toujours là.',
    },
    offline: {
      title: 'Ce site est hors ligne',
      text: 'Il a été mis hors ligne et ne peut pas être visité pour le moment.',
    },
    unavailable: {
      title: 'De retour dans un instant',
      text: 'Le site ne peut pas être affiché. Réessayez dans quelques secondes.',
    },
    password: {
      title: 'Ce site a un mot de passe',
      text: 'Saisissez-le pour continuer.',
    },
    wrong: {
      title: 'Ce site a un mot de passe',
      text: 'Ce mot de passe n’est pas le bon. Réessayez.',
    },
    wait: {
      title: 'Un instant, s’il vous plaît',
      text: 'Trop d’essais en peu de temps. Attendez une minute et réessayez.',
    },
  },
  es: {
    nowhere: {
      title: 'Aquí no hay ningún sitio',
      text: 'Compruebe la dirección. Puede que el sitio se haya mudado o eliminado.',
    },
    missing: {
      title: 'Esta página no existe',
      text: 'Puede que se haya movido o eliminado. El resto del sitio sigue ahí.',
    },
    offline: {
      title: 'Este sitio está fuera de línea',
      text: 'Se ha retirado y no se puede visitar por ahora.',
    },
    unavailable: {
      title: 'Volvemos enseguida',
      text: 'El sitio no se puede mostrar ahora. Inténtelo de nuevo en unos segundos.',
    },
    password: { title: 'Este sitio tiene contraseña', text: 'Escríbala para continuar.' },
    wrong: {
      title: 'Este sitio tiene contraseña',
      text: 'Esa contraseña no es correcta. Inténtelo de nuevo.',
    },
    wait: {
      title: 'Espere un momento',
      text: 'Hubo demasiados intentos en poco tiempo. Espere un minuto e inténtelo de nuevo.',
    },
  },
}

export const passwordFormWords: Readonly<Record<PageLanguage, FormWords>> = {
  en: { label: 'Password', button: 'Continue' },
  nl: { label: 'Wachtwoord', button: 'Verder' },
  de: { label: 'Passwort', button: 'Weiter' },
  fr: { label: 'Mot de passe', button: 'Continuer' },
  es: { label: 'Contraseña', button: 'Continuar' },
}
