/** A source before it is added. */
import type { Source, SourceInput } from '../queries.ts'

export interface SourceDraft {
  kind: Source['kind']
  url: string
  site_id: string
  media_id: string
  collection: string
  title: string
  text: string
}

export const emptyDraft: SourceDraft = {
  kind: 'website',
  url: '',
  site_id: '',
  media_id: '',
  collection: '',
  title: '',
  text: '',
}

/** Whether all fields of its kind have a value. */
export function isComplete(draft: SourceDraft): boolean {
  const { kind, url, site_id, media_id, collection, title, text } = draft
  const needed = {
    website: [url],
    site: [site_id],
    media: [media_id],
    collection: [collection],
    text: [title, text],
  }
  return needed[kind].every((value) => value.trim() !== '')
}

/** The request body. Not for collections, which another operation adds. */
export function inputOf({ kind, ...draft }: SourceDraft): SourceInput {
  const { url, site_id, media_id, title, text } = draft
  switch (kind) {
    case 'site':
      return { kind, site_id }
    case 'media':
      return { kind, media_id }
    case 'website':
      return { kind, url: withScheme(url.trim()) }
    case 'text':
    case 'collection':
      return { kind: 'text', title, text }
  }
}

function withScheme(address: string): string {
  return /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`
}
