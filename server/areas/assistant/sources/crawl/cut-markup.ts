/**
 * Cuts a page at the place where its markup becomes too costly. The parser's time is quadratic in the
 * depth of the elements, and its memory grows with their number.
 */
import type * as htmlparser2 from 'htmlparser2'
import { onFirstUse } from '../../../../kernel/process/first-use.ts'

const library = onFirstUse<typeof htmlparser2>('htmlparser2')

/** As in browsers, which open no more elements within each other. */
const DEPTH_MAX = 512
const ELEMENTS_MAX = 20_000

/** Returns the page up to the first element that is too deep or one too many. */
export function cutMarkup(html: string): string {
  const { Parser } = library()
  let depth = 0
  let elements = 0
  let end = html.length
  const parser = new Parser({
    onopentagname() {
      depth += 1
      elements += 1
      if (depth <= DEPTH_MAX && elements <= ELEMENTS_MAX) return
      end = Math.min(end, parser.startIndex)
      parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.write(html)
  return html.slice(0, end)
}
