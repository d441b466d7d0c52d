/** The first part of the address of a site. */
const SLUG_MAX = 48
const SLUG = /^[a-z0-9](?:-?[a-z0-9])+$/

/** Converts `Bakkerij De Molen` to `bakkerij-de-molen`. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, '')
}

export function isSlug(text: string): boolean {
  return SLUG.test(text) && text.length <= SLUG_MAX
}
