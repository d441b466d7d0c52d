/** Saves content of the page as a file of the person. */
export function saveFile({ blob, filename }: { blob: Blob; filename: string }): void {
  const address = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: address, download: filename }).click()
  URL.revokeObjectURL(address)
}
