// The package comes without types; this is the part of it that is used here.
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
