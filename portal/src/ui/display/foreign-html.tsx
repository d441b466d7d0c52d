/**
 * Shows HTML of somebody else, such as an email, in a frame without scripts, forms and resources of other
 * hosts. The server returns what is posted, with a policy of its own, because a frame with `srcdoc` has that
 * of the portal, which allows no styles inside HTML.
 */
import { useEffect, useId, useRef } from 'react'

export interface ForeignHtmlProps {
  /** The name of the frame for people who do not see it. */
  title: string
  html: string
  className?: string
}

export function ForeignHtml({ title, html, className }: ForeignHtmlProps) {
  const name = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [html])
  return (
    <>
      <form ref={form} method="post" action="/portal/app/foreign-html" target={name} hidden>
        <input type="hidden" name="html" value={html} />
      </form>
      <iframe name={name} title={title} sandbox="" className={className} />
    </>
  )
}
