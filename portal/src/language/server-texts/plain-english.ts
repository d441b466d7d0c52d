/** Messages of the server that use words of its API, in words of an owner. `…` is kept. */
import type { Table } from './patterns.ts'

export const plainEnglish: Table = {
  'has the wrong format: a phone number in E.164 format, such as …':
    'must be a phone number. One of another country begins with +',
  'has the wrong format: a phone number in E.164 form, such as …':
    'must be a phone number. One of another country begins with +',
  'must be a phone number in E.164 form, such as …':
    'must be a phone number. One of another country begins with +',
  'should be written as …': 'is written as …',
  'must be a BCP 47 language tag, such as nl or en-GB':
    'must be the code of a language, such as nl or en-GB',
  'must be an IANA time zone, such as Europe/Amsterdam':
    'must be a time zone, such as Europe/Amsterdam',
  'must be an IANA time zone such as Europe/Amsterdam':
    'must be a time zone, such as Europe/Amsterdam',
  'must be a two-letter country code of ISO 3166-1, such as NL': 'must be a country of the list',
  'is for other countries than kvk_number; send one of them':
    'is for another country: fill in the address too',
  'is for other countries; a business in the Netherlands sends kvk_number':
    'is for other countries: enter the KVK number',
  'is for the Netherlands; a business in … sends registration_number':
    'is for the Netherlands: enter the number in the register of your country',
  'is required, unless customer_decides is true': 'is required, unless the customer decides',
  'must be null, because an owner has the whole project':
    'cannot be limited, because an owner has the whole project',
  '…: visitors cannot send the form to …, because the collection is not open to websites. Change the collection to public_write: true.':
    '…: visitors cannot send the form to …, because the collection is not open to websites. Open it in the settings of the collection.',
  '…: visitors cannot send the form to …, because the collection does not exist. Create it with public_write: true.':
    '…: visitors cannot send the form to …, because the collection does not exist. Create it, open to websites.',
  'has no meaning when keep_others is false': 'has no meaning when other files are removed',
  'is missing, and keep_others is not true': 'is missing, and other files do not stay',
  'does not go with public_write, because visitors could then write prices':
    'is not possible while visitors may write, because they could then write prices',
  'must differ from `from`': 'must differ from the first time',
  'must be string': 'must be a text',
  'must be integer': 'must be a whole number',
  'must be number': 'must be a number',
  'must be boolean': 'must be yes or no',
  'must NOT have fewer than 1 characters': 'must not be empty',
  'must NOT have fewer than 1 items': 'must have at least one entry',
  'must NOT have fewer than … characters': 'must have at least … characters',
  'must NOT have more than … characters': 'must have at most … characters',
  'must NOT have fewer than … items': 'must have at least … entries',
  'must NOT have more than … items': 'must have at most … entries',
  'must NOT have duplicate items …': 'must not have the same entry twice',
  'must be >= …': 'must be at least …',
  'must be <= …': 'must be at most …',
  'must be > …': 'must be more than …',
  'must be < …': 'must be less than …',
  'must be multiple of …': 'must be a multiple of …',
  'is not accepted by the provider':
    'The provider does not accept this key. Copy the live key again, without spaces.',
  'must match format "email"': 'must be an email address',
  'must match format "uri"': 'must be a web address, such as https://example.com',
  'must match format "url"': 'must be a web address, such as https://example.com',
  'must match format "date"': 'must be a date',
  'must match format "date-time"': 'must be a date and time',
  'must match format "uuid"': 'must be an id',
  'must match format …': 'has the wrong format',
  'must match the pattern …': 'has the wrong format',
  'is not a field of this request': 'is not known here',
}
