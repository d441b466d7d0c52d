/** The texts of the card that lists refused orders of visitors. */
import { defineTexts } from '../../language/texts.ts'

export const refusalTexts = defineTexts('order-refusals', {
  en: {
    title: 'Refused orders',
    about: 'Orders on your websites that were not accepted. Visitors do not see the reason.',
    reason: 'Reason',
    orders: 'Orders',
    last: 'Latest',
    rate_limited_address: 'Too many orders from one internet address in a short time',
    rate_limited_token: 'Too many orders from one website in a short time',
    too_many_open: 'Too many orders that are not paid yet',
    too_many_without_script: 'Too many orders without JavaScript in an hour',
    amount_too_high: 'The amount was above the maximum for an order on a website',
    failed_payments: 'So many payments failed that it looks like a test of stolen cards',
    challenge_failed: 'The protection against bots stopped the order',
    robot: 'A hidden field was filled in, as bots do',
    product_unavailable: 'Sold out, or not for sale',
    account_missing: 'No account is connected for real payments',
  },
  nl: {
    title: 'Geweigerde bestellingen',
    about:
      'Bestellingen op uw websites die niet zijn aangenomen. Bezoekers krijgen de reden niet te zien.',
    reason: 'Reden',
    orders: 'Bestellingen',
    last: 'Laatste',
    rate_limited_address: 'Te veel bestellingen van één internetadres in korte tijd',
    rate_limited_token: 'Te veel bestellingen van één website in korte tijd',
    too_many_open: 'Te veel bestellingen die nog niet zijn betaald',
    too_many_without_script: 'Te veel bestellingen zonder JavaScript in een uur',
    amount_too_high: 'Het bedrag was hoger dan het maximum voor een bestelling op een website',
    failed_payments:
      'Er mislukten zo veel betalingen dat iemand misschien gestolen kaarten uitprobeert',
    challenge_failed: 'De bescherming tegen robots hield de bestelling tegen',
    robot: 'Een verborgen veld was ingevuld, zoals robots doen',
    product_unavailable: 'Uitverkocht, of niet te koop',
    account_missing: 'Er is geen account gekoppeld voor echte betalingen',
  },
})
