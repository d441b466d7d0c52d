/**
 * The form that the guide to forms builds: its collection, and the page that sends it. A test makes
 * the collection, reads the form as a browser does and sends it.
 */

export const formOrigin = 'https://www.example.nl'
export const exampleToken = 'hm_pub_…'

export const formCollection = {
  name: 'bookings',
  title: 'Bookings',
  public_write: true,
  webhook_on_insert: true,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 80 },
      email: { type: 'string', format: 'email' },
      guests: { type: 'integer', minimum: 1, maximum: 12 },
      day: { type: 'string', format: 'date' },
      terrace: { type: 'boolean' },
    },
    required: ['name', 'email', 'guests', 'day'],
    additionalProperties: false,
  },
} as const

/** The form in HTML, with the addresses of this server. */
export function formMarkup(base_url: string): string {
  const { name, schema } = formCollection
  const { minimum, maximum } = schema.properties.guests
  const script = new URL('/forms.js', base_url).href
  return `<script src="${script}" defer></script>

<form data-collection="${name}" data-token="${exampleToken}" method="post"
      action="${base_url}/public/collections/${name}/documents">
  <input type="hidden" name="token" value="${exampleToken}">
  <input type="hidden" name="redirect" value="${formOrigin}/thanks">
  <input name="hp_website" tabindex="-1" autocomplete="off" hidden>

  <p><label>Name <input name="name" autocomplete="name" required></label></p>
  <p><label>Email
    <input name="email" type="email" autocomplete="email" required></label></p>
  <p><label>Guests
    <input name="guests" type="number" min="${minimum}" max="${maximum}" required></label></p>
  <p><label>Day <input name="day" type="date" required></label></p>
  <p><label><input name="terrace" type="checkbox"> On the terrace</label></p>
  <button>Send</button>
</form>`
}
