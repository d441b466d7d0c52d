/** A guide of the documentation that belongs to an area: a Markdown file in docs/guides. */
export interface Guide {
  /** The file name without `.md`, which is also the last part of the page's URL. */
  page: string
  /** The group of the navigation. */
  group: 'Phone' | 'Chat' | 'Email' | 'Websites and data' | 'Events' | 'Basics'
  /** The entry in the navigation. */
  title: string
  /** The card on the start page. */
  card: { title: string; text: string }
}
