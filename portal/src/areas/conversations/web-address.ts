/** Whether a text is the address of a web page, so that it may become a link. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
