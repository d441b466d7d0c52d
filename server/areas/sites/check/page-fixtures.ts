/** Fixtures of the check tests: sites of a few files, and their findings. */
import mime from 'mime'
import { checkFiles, type CheckContext, type Finding } from './check.ts'

export const siteContext: CheckContext = {
  slug: 'jansen',
  title: 'Jansen',
  sites_domain: 'sites.example:4400',
  url: 'http://jansen.sites.example:4400',
}

/** Contents by path, with a content type if the path does not imply it. */
export type TestPages = Record<
  string,
  string | Uint8Array | [content_type: string, content: string]
>

export function onePage(html: string): TestPages {
  return { 'index.html': html }
}

export function oneScript(text: string): TestPages {
  return { 'app.js': text }
}

export function listFindings(pages: TestPages, context: Partial<CheckContext> = {}): Finding[] {
  const files = Object.entries(pages).map(([path, given]) => {
    const [content_type, content] = Array.isArray(given)
      ? given
      : [mime.getType(`/${path}`) ?? 'application/octet-stream', given]
    return { path, content_type, bytes: Buffer.from(content) }
  })
  return checkFiles(files, { ...siteContext, ...context })
}

/** Returns the findings in short form. */
export function listBrokenRules(pages: TestPages, context: Partial<CheckContext> = {}): string[] {
  return listFindings(pages, context).map(({ rule, path, line }) => `${rule} ${path}:${line ?? ''}`)
}
