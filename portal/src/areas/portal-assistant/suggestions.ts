/** Questions that fit the page that the person sees. */

const general = ['ask_general', 'ask_go_live', 'ask_new_webhook'] as const

const ofPages = {
  '/webhooks': ['ask_webhooks', 'ask_new_webhook'],
  '/requests': ['ask_webhooks', 'ask_key'],
  '/data': ['ask_data', 'ask_new_data'],
  '/sites': ['ask_site', 'ask_media'],
  '/media': ['ask_media', 'ask_site'],
  '/numbers': ['ask_number', 'ask_calls'],
  '/calls': ['ask_calls', 'ask_number'],
  '/billing': ['ask_billing', 'ask_top_up'],
  '/team': ['ask_team', 'ask_key'],
  '/keys': ['ask_key', 'ask_webhooks'],
  '/go-live': ['ask_go_live', 'ask_number'],
} as const

export type Suggestion = (typeof general)[number] | (typeof ofPages)[keyof typeof ofPages][number]

/** `page` is a path below the project, such as `/data/bookings`. */
export function suggestFor(page: string): readonly Suggestion[] {
  const [, first = ''] = page.split('/')
  const found = Object.entries(ofPages).find(([path]) => path === `/${first}`)
  return found === undefined ? general : [...found[1], 'ask_general']
}
