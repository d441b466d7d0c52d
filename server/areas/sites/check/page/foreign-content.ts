/**
 * Tracks whether the tokenizer is in SVG or MathML, where `style`, `script` and `title` are
 * ordinary elements, or in HTML (HTML standard, 13.2.6.5). Implements only what is needed to read
 * the content like browsers.
 */
const roots = new Set(['svg', 'math'])
/** Elements of foreign content that contain HTML again. */
const integrationPoints = new Set(['foreignobject', 'desc', 'title', 'annotation-xml', 'mtext'])
/** HTML start tags that end foreign content. */
const breakouts = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
   listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(
    /\s+/,
  ),
)
/** Maximum depth of the search for a matching start tag, which keeps the time linear. */
const STEPS_MAX = 16

export class ForeignContent {
  readonly #open: string[] = []

  get inside(): boolean {
    const last = this.#open.at(-1)
    return last !== undefined && roots.has(last)
  }

  /** Whether foreign content is open, also if the current element is HTML nested in it. */
  get begun(): boolean {
    return this.#open.length > 0
  }

  enter(name: string, self_closing: boolean): void {
    if (this.inside && breakouts.has(name)) {
      while (this.inside) this.#open.pop()
    }
    if (self_closing) return
    if (roots.has(name) || (this.inside && integrationPoints.has(name))) this.#open.push(name)
  }

  leave(name: string): void {
    if (!roots.has(name) && !integrationPoints.has(name)) return
    const lowest = Math.max(0, this.#open.length - STEPS_MAX)
    for (let at = this.#open.length - 1; at >= lowest; at -= 1) {
      if (this.#open[at] !== name) continue
      this.#open.length = at
      return
    }
  }
}
