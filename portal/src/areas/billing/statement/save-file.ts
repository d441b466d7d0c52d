/** Saves bytes that the page has made as a file. */
export function saveFile(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
