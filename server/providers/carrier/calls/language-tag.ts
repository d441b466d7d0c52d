/** Carriers want a region in the tag of a language. */
export function toFullTag(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize()
  return region === undefined ? language : `${language}-${region}`
}
