/** The texts of the cart, in the language of the page, else of the browser. */
const words = {
  en: {
    cart: 'Cart',
    close: 'Close',
    empty: 'Your cart is empty.',
    amount: 'Quantity of #',
    remove: 'Remove #',
    total: 'Total with VAT',
    name: 'Name',
    email: 'Email address',
    note: 'Note or delivery address',
    pay: 'Continue to payment',
    busy: 'One moment…',
    added: '# is in your cart.',
    sold_out: 'Sold out',
    changed: 'Not everything is available any more. The cart now holds what is left.',
    wait: 'Too many orders in a short time. Wait a few minutes and try again.',
    unpaid: 'We have not received the payment. Your cart is still here.',
    failed: 'The order could not be placed. Try again later.',
    check: 'Check the email address.',
    thanks: 'Thank you for your order',
    received: 'Your order was received.',
  },
  nl: {
    cart: 'Winkelmand',
    close: 'Sluiten',
    empty: 'Uw winkelmand is leeg.',
    amount: 'Aantal van #',
    remove: '# verwijderen',
    total: 'Totaal inclusief btw',
    name: 'Naam',
    email: 'E-mailadres',
    note: 'Opmerking of afleveradres',
    pay: 'Naar betalen',
    busy: 'Een ogenblik…',
    added: '# ligt in uw winkelmand.',
    sold_out: 'Uitverkocht',
    changed: 'Niet alles is nog te koop. In uw winkelmand ligt nu wat er nog is.',
    wait: 'Te veel bestellingen in korte tijd. Wacht een paar minuten en probeer het opnieuw.',
    unpaid: 'We hebben de betaling niet ontvangen. Uw winkelmand is er nog.',
    failed: 'De bestelling is niet gelukt. Probeer het later opnieuw.',
    check: 'Controleer het e-mailadres.',
    thanks: 'Bedankt voor uw bestelling',
    received: 'Uw bestelling is ontvangen.',
  },
}

const wanted = [document.documentElement.lang, ...navigator.languages]
export const language =
  wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => words[tag]) ?? 'en'

export const say = (key, name = '') => words[language][key].replace('#', name)

const format = new Intl.NumberFormat(language === 'nl' ? 'nl-NL' : 'en-IE', {
  style: 'currency',
  currency: 'EUR',
})
export const money = (cents) => format.format(cents / 100)
