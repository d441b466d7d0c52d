/** A guide of the documentation that belongs to an area: a Markdown file in docs/guides. */
export interface Guide {
  /** The name of the file without `.md`, and the end of the address of the page. */
  page: string
  /** The group of the navigation. */
  group: 'Phone' | 'Websites and data' | 'Events' | 'Basics'
  /** The entry in the navigation. */
  title: string
  /** The card on the start page. */
  card: { title: string; text: string }
}
