// The package has no types; this declares the part in use.
declare module 'html-to-text' {
  export function compile<Metadata>(options: {
    wordwrap: false
    limits: { maxInputLength: number; maxDepth: number; maxChildNodes: number }
    selectors: readonly {
      selector: string
      format?: string
      options?: {
        uppercase?: boolean
        itemPrefix?: string
        linkBrackets?: false
        pathRewrite?: (href: string, metadata: Metadata) => string
      }
    }[]
  }): (html: string, metadata: Metadata) => string
}
