/** Which addresses belong to a website, and in which order they are read. */

/** Matches paths that usually answer customers' questions; they are read first. */
const telling = new RegExp(
  'contact|faq|vragen|questions|fragen|prijs|prijzen|tarie|price|pricing|preis|tarif|open|hours|' +
    'horaire|about|over|uber|ueber|service|dienst|leistung|info',
  'i',
)
const no_page = /\.(?:pdf|jpe?g|png|gif|webp|svg|zip|mp[34]|css|js|xml|ico|docx?|xlsx?)$/i
const ADDRESS_CHARACTERS_MAX = 1_000

/** Returns the pages of the site among the links of a page, informative ones first, each once. */
export function pagesOfSite(links: readonly string[], base: URL): string[] {
  const urls = links.flatMap((link) => {
    const url = URL.parse(link, base)
    // Links with "@" are email addresses: the parser (html-to-text) removes their "mailto:".
    if (url === null || link.includes('@') || !isSameSite(url, base) || no_page.test(url.pathname))
      return []
    url.hash = ''
    // Links keep the protocol and the host that the site is read with.
    url.protocol = base.protocol
    url.host = base.host
    return url.href.length > ADDRESS_CHARACTERS_MAX ? [] : [url.href]
  })
  const isTelling = (url: string) => telling.test(new URL(url).pathname)
  const { yes = [], no = [] } = Object.groupBy(new Set(urls), (url) =>
    isTelling(url) ? 'yes' : 'no',
  )
  return [...yes, ...no]
}

/** Whether two addresses have the same host, with or without "www.". */
export function isSameSite(url: URL, base: URL): boolean {
  return hostOf(url) === hostOf(base)
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, '')
}
